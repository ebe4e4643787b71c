#!lua
-- PURPOSE  Looks at a whole lane in one step, with no code of the service, and names every entity
--          and toggle metric for which counter + bucket + unfolded events above the floor is not
--          the number of facts; and every lane whose outbox does not reach from folded to seq.
-- KEYS     1 lane hash
-- RETURNS  a line for each violation
local tag = string.match(KEYS[1], '%b{}')
local number = string.sub(tag, 2, -2)
local violations = {}
local seq = tonumber(redis.call('HGET', KEYS[1], 'seq') or '0')
local folded = tonumber(redis.call('HGET', 'folded:' .. tag, number) or '0')

local waiting, expected = {}, folded
for _, entry in ipairs(redis.call('XRANGE', 'outbox:' .. tag, '-', '+')) do
  local last = tonumber(string.match(entry[1], '^(%d+)-'))
  local lines = {}
  for line in string.gmatch(entry[2][4], '[^\n]+') do
    lines[#lines + 1] = line
  end
  for i, line in ipairs(lines) do
    local event = last - #lines + i
    if event > folded then
      if event ~= expected + 1 then
        violations[#violations + 1] = 'outbox has ' .. event .. ' after ' .. expected
      end
      expected = event
      local entity, metric, delta = string.match(line, '^(%S+) (%S+) %S+ (%S+)$')
      local floor = tonumber(redis.call('ZSCORE', 'floor:' .. tag, entity) or '0')
      if event > floor then
        local key = metric .. ' ' .. entity
        waiting[key] = (waiting[key] or 0) + tonumber(delta)
      end
    end
  end
end
if expected ~= seq then
  violations[#violations + 1] = 'outbox ends at ' .. expected .. ', seq is ' .. seq
end

local prefix = 'cnt:' .. tag .. ':v1:'
for _, key in ipairs(redis.call('KEYS', prefix .. '*')) do
  local entity = string.sub(key, #prefix + 1)
  local raw = redis.pcall('GET', key)
  if type(raw) == 'string' and #raw == 20 then
    for metric, index in pairs({like = 1, fav = 2}) do
      local counter = struct.unpack('>I4', string.sub(raw, 4 * index + 1, 4 * index + 4))
      local bucket = tonumber(redis.call('HGET', 'agg:' .. tag .. ':v1:' .. entity, index) or '0')
      local facts = 0
      for _, shard in ipairs(redis.call('KEYS', 'bm:' .. tag .. ':' .. metric .. ':' .. entity .. ':*')) do
        facts = facts + redis.call('BITCOUNT', shard)
      end
      local events = waiting[metric .. ' ' .. entity] or 0
      if counter + bucket + events ~= facts then
        violations[#violations + 1] = metric .. ' of ' .. entity .. ': counter ' .. counter
          .. ' + bucket ' .. bucket .. ' + unfolded ' .. events .. ' is not ' .. facts .. ' facts'
      end
    end
  end
end
return violations
