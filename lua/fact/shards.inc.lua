-- PURPOSE  How facts are stored; nothing else but fact/changes and fact/counts knows. The user ids
--          of an entity and metric are dealt out to shards: each has the ids from its first chunk
--          (32768 ids) up to the next shard. A sparse shard is a small set of ids. One that outgrows
--          its limit is split between two chunks; if most of its ids lie in one chunk, that becomes
--          a dense shard: a bitmap. A dense shard with few ids becomes sparse, small sparse
--          neighbours are joined. A sorted set, the directory, lists the shards that have facts:
--          score is the first chunk, member 's' and the first chunk, or only the chunk of a dense
--          one. Without a directory the sparse shard from chunk 0 on is the only one.
local CHUNKS = 2 ^ 48 -- of 63-bit ids
local CHUNK = 32768

local function directory_key(metric, entity)
  return 'shards:' .. TAG .. ':' .. metric .. ':' .. entity
end

local function dense_shard(metric, entity, chunk)
  return {dense = true, first = chunk, member = digits(chunk),
    key = 'bm:' .. TAG .. ':' .. metric .. ':' .. entity .. ':' .. digits(chunk)}
end

local function sparse_shard(metric, entity, first)
  return {dense = false, first = first, member = 's' .. digits(first),
    key = 'ids:' .. TAG .. ':' .. metric .. ':' .. entity
      .. (first > 0 and ':' .. digits(first) or '')}
end

local function listed_shard(metric, entity, member)
  local first = string.match(member, '^s(%d+)$')
  local shard = first and sparse_shard(metric, entity, tonumber(first))
    or dense_shard(metric, entity, tonumber(member))
  shard.listed = true
  return shard
end

-- The chunk of a user and its place in there. Lua's numbers are doubles, user ids are not: the
-- digits are taken in two parts, and 10^9 = 30517 * 32768 + 18944.
local function place(user)
  local high, low = tonumber(string.sub(user, 1, -10)) or 0, tonumber(string.sub(user, -9))
  local rest = high * 18944 + low
  return high * 30517 + math.floor(rest / CHUNK), rest % CHUNK
end

-- The shard that has the chunk, or would get it.
local function shard_of(metric, entity, chunk)
  local member = redis.call('ZREVRANGEBYSCORE', directory_key(metric, entity), digits(chunk), '-inf',
    'LIMIT', 0, 1)[1]
  local shard = member and listed_shard(metric, entity, member)
  if not shard then
    return sparse_shard(metric, entity, 0)
  elseif shard.dense and shard.first < chunk then
    return sparse_shard(metric, entity, shard.first + 1)
  end
  return shard
end

local function shard_size(shard)
  if shard.dense then
    return redis.call('BITCOUNT', shard.key)
  end
  return redis.call('SCARD', shard.key)
end
