#!lua flags=allow-oom
-- PURPOSE  One bounded step of a rebuild. Few shards are done in the first step; many are walked
--          shard by shard, and toggles behind the cursor correct the count while it is under way.
--          The state of the walk is also its lock: another token finds it busy until it is done or
--          abandoned; a walker whose state is gone is fenced off and starts again.
-- KEYS     1 lane hash
-- ARGV     1 entity
--          2 token of this rebuild
--          3 mode: missing (only if there is no good counter) | force
--          4 most shards to count in this step
--          5 milliseconds after which an abandoned walk is forgotten
--          6 first (starts a walk) | next (goes on with the walk of this token)
-- RETURNS  PRESENT, fields | DONE, fields | MORE, shards counted so far | BUSY | FENCED | CLOSED
--          | OVERFLOW
-- COST     O(shards of the step), 4 KB each
-- include lane/lane
-- include fact/shards
-- include counter/counter
-- include rebuild/rebuild
if not is_open() then
  return {'CLOSED'}
end
local entity, token, budget = ARGV[1], ARGV[2], tonumber(ARGV[4])
local walk = rebuild_key(entity)
local walker = redis.call('HGET', walk, 'token')
if ARGV[6] == 'next' then
  if walker ~= token then
    return {'FENCED'}
  end
else
  local fields = ARGV[3] == 'missing' and counter_get(entity)
  if fields then
    return {'PRESENT', fields}
  elseif walker then
    return {'BUSY'}
  end
end

-- Where each metric stands: the shard counted last and the facts up to it.
local counts, cursors, walked, done = {}, {}, 0, true
for _, toggle in ipairs(TOGGLES) do
  local metric, after, count = toggle.metric, '-1', 0
  if ARGV[6] == 'next' then
    after = redis.call('HGET', walk, 'after:' .. metric)
    count = tonumber(redis.call('HGET', walk, 'count:' .. metric))
  end
  if budget > 0 then
    local more, last, shards = fact_count(metric, entity, after, budget)
    count, after, budget, walked = count + more, last, budget - shards, walked + shards
    done = done and budget > 0
  else
    done = false
  end
  counts[metric], cursors[metric] = count, after
end

if done then
  local fields = rebuild_finish(entity, counts)
  return fields and {'DONE', fields} or {'OVERFLOW'}
end
for metric, after in pairs(cursors) do
  redis.call('HSET', walk, 'token', token, 'after:' .. metric, after, 'count:' .. metric,
    digits(counts[metric]))
end
local total = redis.call('HINCRBY', walk, 'shards', walked)
redis.call('PEXPIRE', walk, ARGV[5])
return {'MORE', total}
