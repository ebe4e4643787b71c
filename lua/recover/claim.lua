#!lua flags=allow-oom
-- PURPOSE  Claims a closed lane for one recovery and tells where its state ends. A later claim
--          takes the lane away from an earlier one; an open lane cannot be claimed.
-- KEYS     1 lane hash
-- ARGV     1 epoch that the recovery will open
-- RETURNS  OK, epoch, seq, offset, topic | OPEN, epoch, seq, offset | STALE, highest epoch
-- COST     O(1)
-- include lane/lane
local state = redis.call('HMGET', KEYS[1], 'offset', 'topic', 'claimed')
local offset, topic, claimed = state[1] or '0', state[2] or '', tonumber(state[3] or '0')
if is_open() then
  return {'OPEN', epoch, digits(seq), offset}
end
local highest = math.max(claimed, tonumber(epoch))
if tonumber(ARGV[1]) <= highest then
  return {'STALE', digits(highest)}
end
redis.call('HSET', KEYS[1], 'claimed', ARGV[1], 'claim', LIFE .. ':' .. ARGV[1])
return {'OK', epoch, digits(seq), offset, topic}
