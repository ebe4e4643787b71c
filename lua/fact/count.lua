#!lua flags=no-writes
-- PURPOSE  Counts the facts of an entity in one step, if they lie in few enough shards.
-- KEYS     1 lane hash
-- ARGV     1 entity
--          2 most shards to count
--          3.. metrics
-- RETURNS  OK, a count a metric | LARGE | CLOSED
-- COST     O(shards); of a dense one 4 KB
-- include lane/lane
-- include fact/shards
-- include fact/counts
if not was_open() then
  return {'CLOSED'}
end
local entity, budget = ARGV[1], tonumber(ARGV[2])
local counts = {'OK'}
for i = 3, #ARGV do
  local count, upto, shards = fact_count(ARGV[i], entity, 0, budget)
  budget = budget - shards
  if upto < CHUNKS then
    return {'LARGE'}
  end
  counts[#counts + 1] = count
end
return counts
