-- PURPOSE  The last step of every rebuild: the counter becomes what the facts say.
local TOGGLES = {@TOGGLES@}

-- Writes `counts` (toggle metric -> facts) over the toggle fields and keeps the tallies. Events
-- still on their way are in the facts already: the floor keeps them out of the bucket. Without a
-- counter there is nothing they could be added to twice, so there is no floor either.
-- Answers the new fields, or nil if one does not fit; then nothing is changed.
local function rebuild_finish(entity, counts)
  touch(DIRTY, FLOOR, FOLDED, rebuild_key(entity))
  local fields = counter_get(entity) or {}
  local deltas = bucket_get(entity) or {}
  for i = 1, FIELDS do
    fields[i] = (fields[i] or 0) + (deltas[i] or 0)
  end
  for _, toggle in ipairs(TOGGLES) do
    fields[toggle.index + 1] = counts[toggle.metric]
  end
  if not counter_fits(fields) then
    return nil
  end
  local kept = counter_put(entity, fields)
  bucket_drop(entity)
  redis.call('DEL', rebuild_key(entity))
  if kept and folded_seq() < seq then
    redis.call('ZADD', FLOOR, digits(seq), entity)
  else
    redis.call('ZREM', FLOOR, entity)
  end
  return fields
end
