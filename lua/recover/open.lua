#!lua flags=allow-oom
-- PURPOSE  Opens a claimed lane in this life of Redis, after its epoch marker is in the log. Its
--          fold goes on where the recovery has read to: what lies before is of earlier epochs.
-- KEYS     1 lane hash
-- ARGV     1 claimed epoch
--          2 seq the marker was written for
--          3 topic id of the log
--          4 offset up to which the recovery has read
--          5 last number that any life may have folded
-- RETURNS  OK | STALE
-- COST     O(1)
-- include lane/lane
if redis.call('HGET', KEYS[1], 'claim') ~= LIFE .. ':' .. ARGV[1] or seq ~= tonumber(ARGV[2]) then
  return {'STALE'}
end
redis.call('HSET', KEYS[1], 'open', LIFE, 'epoch', ARGV[1], 'topic', ARGV[3], 'offset', ARGV[4],
  'folded', ARGV[5])
redis.call('HDEL', KEYS[1], 'claim', 'before')
return {'OK'}
