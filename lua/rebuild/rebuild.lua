#!lua flags=allow-oom
-- PURPOSE  One bounded step of a rebuild. Few shards are done in the first step; many are walked
--          shard by shard, and toggles behind the cursor correct the count while it is under way.
--          The last step compares the counter with what was counted before it writes.
--          The state of the walk is also its lock: another token finds it busy until it is done or
--          abandoned; a walker whose state is gone is fenced off and starts again. A walk that
--          looks for what is wrong gives way to any other.
-- KEYS     1 lane hash
-- ARGV     1 entity
--          2 token of this rebuild
--          3 mode: missing (only if there is no good counter) | wrong (only if it is not what the
--          facts say) | force
--          4 most shards to count in this step
--          5 milliseconds after which an abandoned walk is forgotten
--          6 first (starts a walk) | next (goes on with the walk of this token)
--          7 most events on their way that are looked at to compare
-- RETURNS  PRESENT, fields | DONE, fields | CORRECTED, fields, cause, good fields before | AGREES
--          | LAGGING | MORE, shards counted so far | BUSY | FENCED | CLOSED | OVERFLOW
-- COST     O(shards of the step), of a dense one 4 KB; the last step also O(events on their way)
-- include lane/lane
-- include fact/shards
-- include fact/counts
-- include counter/pages
-- include counter/counter
-- include rebuild/rebuild
if not is_open() then
  return {'CLOSED'}
end
stay_whole()
local entity, token, mode, budget = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4])
local most = tonumber(ARGV[7])
local walk = rebuild_key(entity)
local state = redis.call('HMGET', walk, 'token', 'mode', 'shards')
local walked = 0
if ARGV[6] == 'next' then
  if state[1] ~= token then
    return {'FENCED'}
  end
  walked = tonumber(state[3])
else
  local fields = mode == 'missing' and counter_get(entity)
  if fields then
    return {'PRESENT', fields}
  elseif state[1] and (mode == 'wrong' or state[2] ~= 'wrong') then
    return {'BUSY'}
  end
end
if mode == 'wrong' and (lagging(most) or audit_full()) then
  redis.call('DEL', walk)
  return {'LAGGING'}
end

-- Where each metric stands: the chunk to go on from and the facts before it.
local counts, cursors, done = {}, {}, true
for _, toggle in ipairs(TOGGLES) do
  local metric, from, count = toggle.metric, 0, 0
  if ARGV[6] == 'next' then
    from = tonumber(redis.call('HGET', walk, 'from:' .. metric))
    count = tonumber(redis.call('HGET', walk, 'count:' .. metric))
  end
  local more, upto, shards = fact_count(metric, entity, from, budget)
  counts[metric], cursors[metric] = count + more, upto
  budget, walked = budget - shards, walked + shards
  done = done and upto == CHUNKS
end

if done then
  local cause = fault(entity, counts, most)
  if mode == 'wrong' and not cause then
    redis.call('DEL', walk)
    return {'AGREES'}
  end
  local fields, before = rebuild_finish(entity, counts, cause)
  if not fields then
    return {'OVERFLOW'}
  end
  return cause and {'CORRECTED', fields, cause, before or {}} or {'DONE', fields}
end
redis.call('HSET', walk, 'token', token, 'mode', mode, 'shards', digits(walked))
for metric, from in pairs(cursors) do
  redis.call('HSET', walk, 'from:' .. metric, digits(from), 'count:' .. metric, digits(counts[metric]))
end
redis.call('PEXPIRE', walk, ARGV[5])
return {'MORE', walked}
