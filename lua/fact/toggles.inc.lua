-- PURPOSE  Applies a run of toggles from ARGV and appends what changed to the outbox as one entry.
--          A rebuild under way hears of every change behind its cursor.
local TOGGLE_ARGS = 6

local function compensate(metric, entity, chunk, delta)
  local key = rebuild_key(entity)
  local after = redis.call('HGET', key, 'after:' .. metric)
  if after and tonumber(chunk) <= tonumber(after) then
    redis.call('HINCRBY', key, 'count:' .. metric, delta)
  end
end

-- Toggles stand in ARGV from `first`: entity, metric, user, chunk, bit, wanted (1 or 0).
-- Answers one digit a toggle: 1 changed, 0 unchanged.
local function apply_toggles(first, now)
  touch(OUTBOX)
  for i = first, #ARGV, TOGGLE_ARGS do
    touch(rebuild_key(ARGV[i]), fact_keys(ARGV[i + 1], ARGV[i], ARGV[i + 3]))
  end
  local changes, events = {}, {}
  for i = first, #ARGV, TOGGLE_ARGS do
    local entity, metric, user = ARGV[i], ARGV[i + 1], ARGV[i + 2]
    local chunk, bit, wanted = ARGV[i + 3], ARGV[i + 4], ARGV[i + 5] == '1'
    local changed = fact_set(metric, entity, chunk, bit, wanted)
    changes[#changes + 1] = changed and '1' or '0'
    if changed then
      local delta = wanted and 1 or -1
      compensate(metric, entity, chunk, delta)
      events[#events + 1] = entity .. ' ' .. metric .. ' ' .. user .. ' ' .. delta
    end
  end
  fact_sweep()
  if #events > 0 then
    seq = seq + #events
    redis.call('HSET', KEYS[1], 'seq', digits(seq))
    redis.call('XADD', OUTBOX, digits(seq) .. '-0', 'ts', now, 'events', table.concat(events, '\n'))
  end
  return table.concat(changes)
end
