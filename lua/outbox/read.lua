#!lua flags=no-writes
-- PURPOSE  Reads the lane's epoch and its next outbox entries in one step, for the relay.
-- KEYS     1 lane hash
-- ARGV     1 number after which to read
--          2 most events to read; the first entry is read whole
-- RETURNS  OK, epoch, seq, folded, offset, time of the oldest unfolded entry ('' if none), entries
--          | CLOSED
-- COST     O(events read)
-- include lane/lane
if not is_open() then
  return {'CLOSED'}
end
local folded = folded_seq()
local after = math.max(tonumber(ARGV[1]), folded)
local oldest, entries = nil, {}
if seq > folded then
  oldest = redis.call('XRANGE', OUTBOX, '-', '+', 'COUNT', 1)[1]
end
if seq > after then
  local from = digits(after + 1) .. '-0'
  entries = redis.call('XRANGE', OUTBOX, from, digits(after + ARGV[2]) .. '-0')
  if #entries == 0 then
    entries = redis.call('XRANGE', OUTBOX, from, '+', 'COUNT', 1)
  end
end
local offset = redis.call('HGET', KEYS[1], 'offset') or '0'
return {'OK', epoch, digits(seq), digits(folded), offset, oldest and oldest[2][2] or '', entries}
