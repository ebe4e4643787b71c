#!lua flags=allow-oom
-- PURPOSE  Opens a claimed lane in this life of Redis, after its epoch marker is in the log.
-- KEYS     1 lane hash
-- ARGV     1 claimed epoch
--          2 seq the marker was written for
--          3 topic id of the log
--          4 offset after the end of the log
-- RETURNS  OK, offset | STALE
-- COST     O(1)
-- include lane/lane
local state = redis.call('HMGET', KEYS[1], 'claim', 'topic', 'offset')
if state[1] ~= LIFE .. ':' .. ARGV[1] or seq ~= tonumber(ARGV[2]) then
  return {'STALE'}
end
local offset = state[3] or '0'
if state[2] ~= ARGV[3] or tonumber(offset) > tonumber(ARGV[4]) then
  offset = '0'
end
redis.call('HSET', KEYS[1], 'open', LIFE, 'epoch', ARGV[1], 'topic', ARGV[3], 'offset', offset)
redis.call('HDEL', KEYS[1], 'claim', 'before')
return {'OK', offset}
