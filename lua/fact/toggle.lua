#!lua
-- PURPOSE  Makes facts be as wanted and puts each change into the outbox, numbered, in one step.
-- KEYS     1 lane hash
-- ARGV     1 time in milliseconds
--          2 most events the outbox may hold
--          3.. toggles, four each: entity, metric, user, wanted
-- RETURNS  OK, epoch, seq, changes (a digit a toggle), folded, failure | CLOSED | FULL
-- COST     O(log shards) a toggle; O(ids of a shard) if it splits, joins or turns one; in a dense
--          shard its bits are counted (4 KB)
-- include lane/lane
-- include fact/shards
-- include fact/changes
-- include fact/toggles
if not is_open() then
  return {'CLOSED'}
end
stay_whole()
local now, limit, folded = ARGV[1], tonumber(ARGV[2]), folded_seq()
if seq - folded + (#ARGV - 2) / TOGGLE_ARGS > limit then
  return {'FULL'}
end
local changes, failure = apply_toggles(3, now)
return {'OK', epoch, digits(seq), changes, digits(folded), failure or ''}
