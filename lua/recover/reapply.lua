#!lua flags=allow-oom
-- PURPOSE  Applies toggles of the log again to a claimed lane, as ordinary toggles. Remembers where
--          the lane stood before, for a recovery that has to go on in the middle.
-- KEYS     1 lane hash
-- ARGV     1 claimed epoch
--          2 seq the lane must stand at
--          3 time in milliseconds
--          4.. toggles, four each: entity, metric, user, wanted
-- RETURNS  OK, seq, changes (a digit a toggle) | STALE
-- COST     as fact/toggle
-- include lane/lane
-- include fact/shards
-- include fact/changes
-- include fact/toggles
if redis.call('HGET', KEYS[1], 'claim') ~= LIFE .. ':' .. ARGV[1] or seq ~= tonumber(ARGV[2]) then
  return {'STALE'}
end
stay_whole()
local before = digits(seq)
local changes, failure = apply_toggles(4, ARGV[3])
redis.call('HSETNX', KEYS[1], 'before', before)
if failure then
  error(failure) -- what has changed has its event, the next recovery goes on behind it
end
return {'OK', digits(seq), changes}
