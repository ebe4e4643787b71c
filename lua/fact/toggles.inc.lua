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

-- What else follows from a changed fact.
local function settle(metric, entity, chunk, shard, delta)
  compensate(metric, entity, chunk, delta)
  fact_settle(metric, entity, shard, delta > 0)
end

-- Toggles stand in ARGV from `first`: entity, metric, user, wanted (1 or 0).
-- Answers one digit a toggle, 1 changed, 0 unchanged, or - for one that failed, and why the first of
-- those did. A toggle fails if somebody has damaged the keys of its facts. The others are none the
-- worse: whatever has changed has its event.
local function apply_toggles(first, now)
  local changes, events, failure = {}, {}, nil
  for i = first, #ARGV, TOGGLE_ARGS do
    local entity, metric, user, wanted = ARGV[i], ARGV[i + 1], ARGV[i + 2], ARGV[i + 3] == '1'
    local ok, changed, chunk, shard = pcall(fact_set, metric, entity, user, wanted)
    local why = changed
    if ok and changed then
      local delta = wanted and 1 or -1
      events[#events + 1] = entity .. ' ' .. metric .. ' ' .. user .. ' ' .. delta
      ok, why = pcall(settle, metric, entity, chunk, shard, delta)
    end
    if not ok then
      failure = failure or type(why) == 'table' and why.err or tostring(why)
    end
    changes[#changes + 1] = not ok and '-' or changed and '1' or '0'
  end
  if #events > 0 then
    seq = seq + #events
    redis.call('HSET', KEYS[1], 'seq', digits(seq))
    redis.call('XADD', OUTBOX, digits(seq) .. '-0', 'ts', now, 'events', table.concat(events, '\n'))
  end
  return table.concat(changes), failure
end
