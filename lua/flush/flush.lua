#!lua flags=allow-oom
-- PURPOSE  Adds the buckets of dirty entities to their counters. A counter that is missing,
--          malformed or would leave its range is never patched: it is rebuilt from the facts here,
--          or named in the answer if that takes more than this call may cost.
-- KEYS     1 lane hash
-- ARGV     1 most entities to take
--          2 most shards to count in rebuilds
-- RETURNS  OK, flushed, rebuilt, dirty left, entities found out of range, entities to rebuild | CLOSED
-- COST     O(entities + shards counted); O(counters of a page) if one is split or joined
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
local budget = tonumber(ARGV[2])
local flushed, rebuilt, astray, large = {}, 0, {}, {}

local function rebuild_here(entity)
  local counts = {}
  for _, toggle in ipairs(TOGGLES) do
    local count, upto, shards = fact_count(toggle.metric, entity, 0, budget)
    if upto < CHUNKS then
      return false
    end
    counts[toggle.metric], budget = count, budget - shards
  end
  return rebuild_finish(entity, counts, fault(entity, counts, 0)) ~= nil
end

for _, entity in ipairs(redis.call('SRANDMEMBER', DIRTY, ARGV[1])) do
  local fields = counter_get(entity)
  local deltas = bucket_get(entity)
  local good = false
  if fields and deltas then
    for i = 1, FIELDS do
      fields[i] = fields[i] + deltas[i]
    end
    good = counter_fits(fields)
    if not good then
      astray[#astray + 1] = entity
    end
  end
  if good then
    counter_put(entity, fields)
    redis.call('DEL', bucket_key(entity))
    flushed[#flushed + 1] = entity
  elseif rebuild_here(entity) then
    rebuilt = rebuilt + 1
  else
    large[#large + 1] = entity
  end
end
if #flushed > 0 then -- should this not be reached, they are dirty without a bucket, which is harmless
  redis.call('SREM', DIRTY, unpack(flushed))
end
return {'OK', #flushed, rebuilt, redis.call('SCARD', DIRTY), astray, large}
