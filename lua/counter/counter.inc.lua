-- PURPOSE  The only Lua that knows the form of a counter: fixed-width big-endian fields in one
--          string. A counter of zeros is not kept.
local FIELDS = @FIELDS@
local FORMAT = '>' .. string.rep('I4', FIELDS)
local LARGEST = 4294967295
local DELTA_DIGITS = 15

local function bucket_key(entity)
  return 'agg:' .. TAG .. ':@SCHEMA@:' .. entity
end

-- The fields of a counter, counted from 1; nil if it is missing or malformed.
local function counter_get(entity)
  local raw = page_get(entity)
  if type(raw) ~= 'string' or #raw ~= 4 * FIELDS then
    return nil
  end
  local fields = {struct.unpack(FORMAT, raw)}
  fields[FIELDS + 1] = nil -- unpack also tells where it stopped
  return fields
end

local function counter_missing(entity)
  return page_get(entity) == false
end

local function counter_fits(fields)
  for i = 1, FIELDS do
    if fields[i] < 0 or fields[i] > LARGEST then
      return false
    end
  end
  return true
end

-- Writes a counter that fits; answers whether there is one now.
local function counter_put(entity, fields)
  for i = 1, FIELDS do
    if fields[i] > 0 then
      page_put(entity, struct.pack(FORMAT, unpack(fields, 1, FIELDS)))
      return true
    end
  end
  page_drop(entity)
  return false
end

-- Adds deltas (field index -> delta) to a bucket. One that is malformed takes no more and costs the
-- counter: then the facts decide, and whoever rebuilds it finds the bucket and tells. It must not
-- fail here, because what the script has written before would stay.
local function bucket_add(entity, deltas)
  for index, delta in pairs(deltas) do
    if type(redis.pcall('HINCRBY', bucket_key(entity), index, delta)) ~= 'number' then
      page_drop(entity)
      return
    end
  end
end

-- The deltas waiting for an entity, counted from 1; nil if the bucket is malformed. What HINCRBY
-- would refuse is malformed here too.
local function bucket_get(entity)
  local raw = try('HGETALL', bucket_key(entity))
  if not raw then
    return nil
  end
  local deltas = {}
  for i = 1, FIELDS do
    deltas[i] = 0
  end
  for i = 1, #raw, 2 do
    local field, delta = tonumber(raw[i]), string.match(raw[i + 1], '^-?%d+$')
    if not field or not deltas[field + 1] or not delta or #delta > DELTA_DIGITS then
      return nil
    end
    deltas[field + 1] = tonumber(delta)
  end
  return deltas
end

local function bucket_drop(entity)
  redis.call('DEL', bucket_key(entity))
  redis.call('SREM', DIRTY, entity)
end
