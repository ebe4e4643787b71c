#!lua flags=allow-oom
-- PURPOSE  Claims a closed lane for one recovery and tells where its state ends. A later claim
--          takes the lane away from an earlier one. An open lane cannot be claimed, unless it is
--          open on another topic than the present one: then the claim closes it. The open mark of
--          another life is taken away by whoever looks first: that process may be made master
--          again, with this state, and would take the lane for open.
-- KEYS     1 lane hash
-- ARGV     1 epoch that the recovery will open
--          2 id of the present topic, '' if it is not known
-- RETURNS  OK, epoch, seq, last number that any life may have folded, offset, topic, kept (highest
--          epoch claimed before, 0 if Redis has begun another life since the lane was open), seq
--          before anything was reapplied
--          | OPEN, epoch, seq, offset | STALE, highest epoch
-- COST     O(1)
-- include lane/lane
local state = redis.call('HMGET', KEYS[1], 'offset', 'topic', 'claimed', 'before', 'folded')
local offset, topic, claimed = state[1] or '0', state[2] or '', tonumber(state[3] or '0')
local moved = ARGV[2] ~= '' and ARGV[2] ~= topic
if is_open() and not moved then
  return {'OPEN', epoch, digits(seq), offset}
end
local kept_here = is_open() or lane[1] == LIFE .. ':claimed'
if lane[1] and not kept_here then
  redis.call('HDEL', KEYS[1], 'open')
end
local highest = math.max(claimed, tonumber(epoch))
if tonumber(ARGV[1]) <= highest then
  return {'STALE', digits(highest)}
end
-- What an earlier life has folded may still wait in the outbox of this one.
local folded, kept = digits(math.max(folded_seq(), tonumber(state[5] or '0'))), 0
if kept_here then
  kept = highest
  redis.call('HSET', KEYS[1], 'open', LIFE .. ':claimed')
end
redis.call('HSET', KEYS[1], 'claimed', ARGV[1], 'claim', LIFE .. ':' .. ARGV[1])
return {'OK', epoch, digits(seq), folded, offset, topic, digits(kept), state[4] or digits(seq)}
