#!lua
-- PURPOSE  Looks at a whole lane in one step, with no code of the service, and names every entity
--          and toggle metric for which counter + bucket + unfolded events above the floor is not
--          the number of facts; every lane whose outbox does not reach from folded to seq; every
--          shard of facts that is not listed, is listed in vain, or has a user of another one; and
--          every counter that is not in its page.
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

-- Facts of every entity and metric, and the shards they lie in: first chunk -> dense or sparse.
local facts, shards = {}, {}

local function shard(metric, entity, first, form, count)
  local key = metric .. ' ' .. entity
  facts[key] = (facts[key] or 0) + count
  shards[key] = shards[key] or {}
  shards[key][#shards[key] + 1] = {tonumber(first), form}
end

-- Long division: user ids have more digits than a double.
local function chunk_of(user)
  local chunk, rest = 0, 0
  for digit in string.gmatch(user, '%d') do
    rest = rest * 10 + tonumber(digit)
    chunk, rest = chunk * 10 + math.floor(rest / 32768), rest % 32768
  end
  return chunk
end

for _, key in ipairs(redis.call('KEYS', 'bm:' .. tag .. ':*')) do
  local metric, entity, chunk = string.match(key, '^bm:[^:]+:([^:]+):([^:]+:[^:]+):(%d+)$')
  shard(metric, entity, chunk, '', redis.call('BITCOUNT', key))
end
for _, key in ipairs(redis.call('KEYS', 'ids:' .. tag .. ':*')) do
  local metric, entity, first = string.match(key, '^ids:[^:]+:([^:]+):([^:]+:[^:]+):?(%d*)$')
  shard(metric, entity, first == '' and '0' or first, 's', redis.call('SCARD', key))
end
for key, found in pairs(shards) do
  local metric, entity = string.match(key, '^(%S+) (%S+)$')
  local directory = 'shards:' .. tag .. ':' .. metric .. ':' .. entity
  table.sort(found, function(a, b) return a[1] < b[1] end)
  local alone = #found == 1 and found[1][2] == 's'
  if redis.call('EXISTS', directory) == 0 then
    if not alone or found[1][1] > 0 then
      violations[#violations + 1] = key .. ' has shards and no directory'
    end
  elseif alone then
    violations[#violations + 1] = key .. ' has one sparse shard and a directory'
  elseif redis.call('ZCARD', directory) ~= #found then
    violations[#violations + 1] = key .. ' has ' .. #found .. ' shards, and a directory of others'
  end
  for i, one in ipairs(found) do
    local first, form = one[1], one[2]
    local name = form .. string.format('%.0f', first)
    if not alone and tonumber(redis.call('ZSCORE', directory, name) or '-1') ~= first then
      violations[#violations + 1] = key .. ' has a shard ' .. name .. ' that is not listed'
    end
    if form == 's' then
      local ids = 'ids:' .. tag .. ':' .. metric .. ':' .. entity
      ids = first > 0 and ids .. ':' .. string.format('%.0f', first) or ids
      for _, user in ipairs(redis.call('SMEMBERS', ids)) do
        local chunk = chunk_of(user)
        if chunk < first or found[i + 1] and chunk >= found[i + 1][1] then
          violations[#violations + 1] = key .. ' has user ' .. user .. ' in shard ' .. name
        end
      end
    end
  end
end
for _, directory in ipairs(redis.call('KEYS', 'shards:' .. tag .. ':*')) do
  local metric, entity = string.match(directory, '^shards:[^:]+:([^:]+):(.+)$')
  if not shards[metric .. ' ' .. entity] then
    violations[#violations + 1] = directory .. ' lists shards that are not there'
  end
end

-- The page of an entity by linear hashing: the lowest bits of its digest, as many as pages need.
local pages = tonumber(redis.call('HGET', KEYS[1], 'v1:pages') or '1')
local function page_of(entity)
  local hash = tonumber(string.sub(redis.sha1hex(entity), 1, 8), 16)
  local bits = math.ceil(math.log(pages) / math.log(2) - 1e-9)
  local page = hash % 2 ^ bits
  return page < pages and page or hash % 2 ^ (bits - 1)
end

local function compare(entity, raw)
  for metric, index in pairs({like = 1, fav = 2}) do
    local counter = struct.unpack('>I4', string.sub(raw, 4 * index + 1, 4 * index + 4))
    local bucket = tonumber(redis.call('HGET', 'agg:' .. tag .. ':v1:' .. entity, index) or '0')
    local held = facts[metric .. ' ' .. entity] or 0
    local events = waiting[metric .. ' ' .. entity] or 0
    if counter + bucket + events ~= held then
      violations[#violations + 1] = metric .. ' of ' .. entity .. ': counter ' .. counter
        .. ' + bucket ' .. bucket .. ' + unfolded ' .. events .. ' is not ' .. held .. ' facts'
    end
  end
end

local prefix = 'cnt:' .. tag .. ':v1:'
for _, key in ipairs(redis.call('KEYS', prefix .. '*')) do
  local page = tonumber(string.sub(key, #prefix + 1))
  local counters = redis.pcall('HGETALL', key)
  for i = 1, #counters, 2 do
    if page_of(counters[i]) ~= page then
      violations[#violations + 1] = counters[i] .. ' is in page ' .. page .. ' of ' .. pages
    end
    if #counters[i + 1] == 20 then
      compare(counters[i], counters[i + 1])
    end
  end
end
return violations
