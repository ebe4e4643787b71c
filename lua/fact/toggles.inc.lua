-- PURPOSE  Applies a run of toggles from ARGV and appends what changed to the outbox as one entry.
--          A rebuild under way hears of every change behind its cursor.
local TOGGLE_ARGS = 4

local function compensate(metric, entity, chunk, delta)
  local key = rebuild_key(entity)
  local from = redis.call('HGET', key, 'from:' .. metric)
  if from and chunk < tonumber(from) then
    redis.call('HINCRBY', key, 'count:' .. metric, delta)
  end
end

-- Toggles stand in ARGV from `first`: entity, metric, user, wanted (1 or 0).
-- Answers one digit a toggle: 1 changed, 0 unchanged.
local function apply_toggles(first, now)
  local changes, events = {}, {}
  for i = first, #ARGV, TOGGLE_ARGS do
    local entity, metric, user, wanted = ARGV[i], ARGV[i + 1], ARGV[i + 2], ARGV[i + 3] == '1'
    local changed, chunk = fact_set(metric, entity, user, wanted)
    changes[#changes + 1] = changed and '1' or '0'
    if changed then
      local delta = wanted and 1 or -1
      compensate(metric, entity, chunk, delta)
      events[#events + 1] = entity .. ' ' .. metric .. ' ' .. user .. ' ' .. delta
    end
  end
  if #events > 0 then
    seq = seq + #events
    redis.call('HSET', KEYS[1], 'seq', digits(seq))
    redis.call('XADD', OUTBOX, digits(seq) .. '-0', 'ts', now, 'events', table.concat(events, '\n'))
  end
  return table.concat(changes)
end
