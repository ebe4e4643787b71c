#!lua flags=allow-oom
-- PURPOSE  Adds a batch of one partition to the buckets, each event exactly once and in order, and
--          moves folded, the stored offset, the outbox and the floors along in the same step. Each
--          offset of the log is looked at once, in order, as a recovery will look at it.
-- KEYS     1 lane hash
-- ARGV     1 offset the batch was read from
--          2 offset after the batch
--          3 first offset the log still has
--          4.. events, five each: epoch, number, entity, field index, delta
-- RETURNS  OK, folded, offset, applied, duplicates, gaps, stale, floored | CLOSED | BEYOND, offset
-- COST     O(events + outbox entries trimmed + floors dropped)
-- include lane/lane
-- include counter/pages
-- include counter/counter
local MOST_AT_ONCE = 1000 -- arguments of a command: Lua gives up at some thousand

if not is_open() then
  return {'CLOSED'}
end
local stored = math.max(tonumber(redis.call('HGET', KEYS[1], 'offset') or '0'), tonumber(ARGV[3]))
local from, next = tonumber(ARGV[1]), tonumber(ARGV[2])
local seen = from < stored
local folded = folded_seq()
if seen and next <= stored then
  return {'OK', digits(folded), digits(stored), 0, (#ARGV - 3) / 5, 0, 0, 0}
end
if seen or from > stored then
  return {'BEYOND', digits(stored)}
end

local floors, buckets, dirty = {}, {}, {}
local any_floor = redis.call('EXISTS', FLOOR) == 1
local applied, duplicates, gaps, stale, floored = 0, 0, 0, 0, 0

local function floor_of(entity)
  if not floors[entity] then
    floors[entity] = any_floor and tonumber(redis.call('ZSCORE', FLOOR, entity) or '0') or 0
  end
  return floors[entity]
end

for i = 4, #ARGV, 5 do
  local number, entity = tonumber(ARGV[i + 1]), ARGV[i + 2]
  if ARGV[i] ~= epoch then
    stale = stale + 1
  elseif number <= folded then
    duplicates = duplicates + 1
  elseif number > folded + 1 then
    gaps = gaps + 1
  else
    folded = number
    if number <= floor_of(entity) then
      floored = floored + 1
    else
      local bucket = buckets[entity] or {}
      buckets[entity] = bucket
      bucket[ARGV[i + 3]] = (bucket[ARGV[i + 3]] or 0) + tonumber(ARGV[i + 4])
      applied = applied + 1
    end
  end
end

stay_whole()
for entity in pairs(buckets) do
  dirty[#dirty + 1] = entity
end
for first = 1, #dirty, MOST_AT_ONCE do
  redis.call('SADD', DIRTY, unpack(dirty, first, math.min(first + MOST_AT_ONCE - 1, #dirty)))
end
for entity, bucket in pairs(buckets) do
  bucket_add(entity, bucket)
end
redis.call('HSET', FOLDED, LANE, digits(folded))
redis.call('HSET', KEYS[1], 'offset', digits(next))
redis.call('XTRIM', OUTBOX, 'MINID', digits(folded + 1) .. '-0')
redis.call('ZREMRANGEBYSCORE', FLOOR, '-inf', digits(folded))
return {'OK', digits(folded), digits(next), applied, duplicates, gaps, stale, floored}
