#!lua flags=no-writes
-- PURPOSE  Tells which of the asked facts hold.
-- KEYS     1 lane hash
-- ARGV     1.. facts, four each: entity, metric, chunk, bit
-- RETURNS  OK, holds (a digit a fact) | CLOSED
-- COST     O(1) a fact
-- include lane/lane
-- include fact/shards
if not was_open() then
  return {'CLOSED'}
end
local holds = {}
for i = 1, #ARGV, 4 do
  holds[#holds + 1] = fact_has(ARGV[i + 1], ARGV[i], ARGV[i + 2], ARGV[i + 3]) and '1' or '0'
end
return {'OK', table.concat(holds)}
