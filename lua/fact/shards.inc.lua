-- PURPOSE  The only place that knows how facts are stored: bitmaps of 32768 users a shard, and a
--          sorted index of the shards that exist. A shard without facts is deleted at once.
local function shards_key(metric, entity)
  return 'shards:' .. TAG .. ':' .. metric .. ':' .. entity
end

local function shard_key(metric, entity, chunk)
  return 'bm:' .. TAG .. ':' .. metric .. ':' .. entity .. ':' .. chunk
end

local function fact_has(metric, entity, chunk, bit)
  return redis.call('GETBIT', shard_key(metric, entity, chunk), bit) == 1
end

-- All keys that a change of the fact may write.
local function fact_keys(metric, entity, chunk)
  return shard_key(metric, entity, chunk), shards_key(metric, entity)
end

-- Shards that have lost a fact in this run, with their index and their chunk.
local lessened = {}

-- Makes the fact be as wanted; answers whether that changed anything. fact_sweep comes after the
-- last one.
local function fact_set(metric, entity, chunk, bit, wanted)
  if fact_has(metric, entity, chunk, bit) == wanted then
    return false
  end
  local shard, shards = fact_keys(metric, entity, chunk)
  if wanted then
    redis.call('SETBIT', shard, bit, 1)
    redis.call('ZADD', shards, chunk, chunk)
  else
    redis.call('SETBIT', shard, bit, 0)
    lessened[shard] = {shards, chunk}
  end
  return true
end

-- Deletes the shards left without facts. Not before: while a slot moves, a later toggle of the
-- same run would find the shard missing and fail the script half way.
local function fact_sweep()
  for shard, place in pairs(lessened) do
    if redis.call('BITCOUNT', shard) == 0 then
      redis.call('DEL', shard)
      redis.call('ZREM', place[1], place[2])
    end
  end
end

-- Counts the facts of at most `limit` shards that lie after shard `after` (-1: from the first).
-- Answers the count, the last shard counted, and how many shards that were.
local function fact_count(metric, entity, after, limit)
  local chunks = redis.call('ZRANGEBYSCORE', shards_key(metric, entity), '(' .. after, '+inf',
    'LIMIT', 0, limit)
  local count = 0
  for _, chunk in ipairs(chunks) do
    count = count + redis.call('BITCOUNT', shard_key(metric, entity, chunk))
  end
  return count, chunks[#chunks] or after, #chunks
end
