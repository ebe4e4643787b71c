#!lua flags=no-writes
-- PURPOSE  Tells which of the asked facts hold.
-- KEYS     1 lane hash
-- ARGV     1.. facts, three each: entity, metric, user
-- RETURNS  OK, holds (a digit a fact) | CLOSED
-- COST     O(log shards) a fact
-- include lane/lane
-- include fact/shards
local function fact_has(metric, entity, user)
  local chunk, bit = place(user)
  local shard = shard_of(metric, entity, chunk)
  if shard.dense then
    return redis.call('GETBIT', shard.key, bit) == 1
  end
  return redis.call('SISMEMBER', shard.key, user) == 1
end

if not was_open() then
  return {'CLOSED'}
end
local holds = {}
for i = 1, #ARGV, 3 do
  holds[#holds + 1] = fact_has(ARGV[i + 1], ARGV[i], ARGV[i + 2]) and '1' or '0'
end
return {'OK', table.concat(holds)}
