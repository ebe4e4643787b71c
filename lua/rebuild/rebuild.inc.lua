-- PURPOSE  What every rebuild ends with: the counter becomes what the facts say. If it was wrong
--          until now, the audit gets a line about it in the same step.
local TOGGLES = {@TOGGLES@}
local AUDIT_LINES = 10000

-- Whether more events are on their way than a comparison may look at.
local function lagging(most)
  return seq - folded_seq() > most
end

-- The deltas (metric -> delta) on their way to the bucket of an entity: of its events that are not
-- folded and lie above its floor. An entry of the outbox may be folded in part.
local function unfolded(entity)
  local passed = math.max(folded_seq(), tonumber(redis.call('ZSCORE', FLOOR, entity) or '0'))
  local deltas = {}
  for _, entry in ipairs(redis.call('XRANGE', OUTBOX, digits(passed + 1) .. '-0', '+')) do
    local events = entry[2][4]
    if string.find(events, entity .. ' ', 1, true) then
      local _, breaks = string.gsub(events, '\n', '')
      local number = tonumber(string.match(entry[1], '^%d+')) - breaks
      for name, metric, delta in string.gmatch(events, '(%S+) (%S+) %S+ (%S+)') do
        if number > passed and name == entity then
          deltas[metric] = (deltas[metric] or 0) + tonumber(delta)
        end
        number = number + 1
      end
    end
  end
  return deltas
end

-- What is wrong with the counter of an entity that has these facts (toggle metric -> facts):
--   malformed  the counter or the bucket cannot be read
--   astray     counter + bucket is out of range
--   drift      counter + bucket + events on their way is not the facts
--   stranded   there is a bucket that no flush would take
-- nil if nothing is, or if more than `most` events are on their way. Without a counter nothing is
-- wrong: the next flush or read makes it.
local function fault(entity, counts, most)
  local fields, deltas = counter_get(entity), bucket_get(entity)
  if not deltas or not (fields or counter_missing(entity)) then
    return 'malformed'
  elseif not fields then
    return nil
  end
  local waiting = false
  for i = 1, FIELDS do
    fields[i] = fields[i] + deltas[i]
    waiting = waiting or deltas[i] ~= 0
  end
  if not counter_fits(fields) then
    return 'astray'
  elseif lagging(most) then
    return nil
  end
  local coming = unfolded(entity)
  for _, toggle in ipairs(TOGGLES) do
    if fields[toggle.index + 1] + (coming[toggle.metric] or 0) ~= counts[toggle.metric] then
      return 'drift'
    end
  end
  return waiting and redis.call('SISMEMBER', DIRTY, entity) == 0 and 'stranded' or nil
end

-- Whether a further line would push out one that may not be in the table yet.
local function audit_full()
  return redis.call('XLEN', AUDIT) >= AUDIT_LINES
end

-- Fields of a counter as text, empty if there was no good one.
local function written(fields)
  local texts = {}
  for i = 1, fields and FIELDS or 0 do
    texts[i] = digits(fields[i])
  end
  return table.concat(texts, ',')
end

-- Epoch and number make an id that no other line of the lane ever has, whatever Redis forgets.
local function audit(entity, cause, before, after)
  local now, number = redis.call('TIME'), redis.call('HINCRBY', KEYS[1], 'audits', 1)
  redis.call('XADD', AUDIT, 'MAXLEN', '~', AUDIT_LINES, epoch .. '-' .. digits(number),
    'entity', entity, 'cause', cause, 'before', written(before), 'after', written(after),
    'epoch', epoch, 'seq', digits(seq),
    'time', digits(now[1] * 1000 + math.floor(now[2] / 1000)))
end

-- Writes `counts` (toggle metric -> facts) over the toggle fields and keeps the tallies. Events
-- still on their way are in the facts already: the floor keeps them out of the bucket. Without a
-- counter there is nothing they could be added to twice, so there is no floor either. If there is
-- a `cause`, the audit gets its line first.
-- Answers the new fields and the good ones before; nil if one does not fit, then nothing is changed.
local function rebuild_finish(entity, counts, cause)
  local before = counter_get(entity)
  local deltas = bucket_get(entity) or {}
  local fields = {}
  for i = 1, FIELDS do
    fields[i] = (before and before[i] or 0) + (deltas[i] or 0)
  end
  for _, toggle in ipairs(TOGGLES) do
    fields[toggle.index + 1] = counts[toggle.metric]
  end
  if not counter_fits(fields) then
    return nil
  end
  if cause then
    audit(entity, cause, before, fields)
  end
  local kept = counter_put(entity, fields)
  bucket_drop(entity)
  redis.call('DEL', rebuild_key(entity))
  if kept and folded_seq() < seq then
    redis.call('ZADD', FLOOR, digits(seq), entity)
  else
    redis.call('ZREM', FLOOR, entity)
  end
  return fields, before
end
