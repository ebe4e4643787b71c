-- PURPOSE  The only place that knows how facts are stored. The user ids of an entity and metric are
--          dealt out to shards: each has the ids from its first chunk (32768 ids) up to the next
--          shard. A sparse shard is a small set of ids. One that would outgrow its limit is split
--          between two chunks; if most of its ids lie in one chunk, that becomes a dense shard: a
--          bitmap. A dense shard with few ids becomes sparse, small sparse neighbours are joined.
--          A sorted set, the directory, lists the shards that have facts: score is the first chunk,
--          member 's' and the first chunk, or only the chunk of a dense one. Without a directory
--          the sparse shard from chunk 0 on is the only one.
local MOST_IDS = @IDS@
local DENSE_IDS = MOST_IDS * 3 / 4 -- so many of a full shard in one chunk make it dense
local HALF_IDS = math.floor(MOST_IDS / 2) -- so few make a dense shard sparse, or two sparse ones one
local FEW_IDS = math.floor(MOST_IDS / 4) -- so few make a sparse shard look for a neighbour
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

-- The user at a place, as digits.
local function user_at(chunk, bit)
  local low = chunk % 1000000 * CHUNK + bit
  local high = math.floor(chunk / 1000000) * CHUNK + math.floor(low / 1000000)
  return high > 0 and digits(high) .. string.format('%06d', low % 1000000) or digits(low)
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

local function list_shard(metric, entity, shard)
  redis.call('ZADD', directory_key(metric, entity), digits(shard.first), shard.member)
end

local function unlist_shard(metric, entity, shard)
  redis.call('ZREM', directory_key(metric, entity), shard.member)
end

-- Writes a sparse shard anew; a set that is made at once takes the least memory.
local function write_sparse(metric, entity, shard, users)
  redis.call('DEL', shard.key)
  if #users > 0 then
    redis.call('SADD', shard.key, unpack(users))
    list_shard(metric, entity, shard)
  else
    unlist_shard(metric, entity, shard)
  end
end

local function write_dense(metric, entity, chunk, users)
  local dense = dense_shard(metric, entity, chunk)
  redis.call('SETBIT', dense.key, CHUNK - 1, 0) -- all its bytes at once, or it would grow in leaps
  for _, user in ipairs(users) do
    local _, bit = place(user)
    redis.call('SETBIT', dense.key, bit, 1)
  end
  list_shard(metric, entity, dense)
end

-- Makes two of a full sparse shard, as equal as chunks allow it. If one chunk has most of the ids,
-- halves would be so unequal that one is full and the other gone after a few toggles: then the
-- chunk becomes dense, and what lies before and after it stays sparse.
local function split_shard(metric, entity, shard)
  local users, chunk_of, sizes, chunks = redis.call('SMEMBERS', shard.key), {}, {}, {}
  for i, user in ipairs(users) do
    local chunk = place(user)
    chunk_of[i] = chunk
    if not sizes[chunk] then
      sizes[chunk], chunks[#chunks + 1] = 0, chunk
    end
    sizes[chunk] = sizes[chunk] + 1
  end
  table.sort(chunks)
  local first, last, before, unevenness = nil, nil, 0, math.huge
  for i, chunk in ipairs(chunks) do
    if sizes[chunk] >= DENSE_IDS then
      first, last = chunk, chunk
      break
    end
    if math.abs(2 * before - #users) < unevenness then
      first, unevenness = chunk, math.abs(2 * before - #users)
    end
    before = before + sizes[chunk]
  end
  local left, middle, right = {}, {}, {}
  for i, user in ipairs(users) do
    local chunk = chunk_of[i]
    local part = chunk < first and left or chunk == last and middle or right
    part[#part + 1] = user
  end
  write_sparse(metric, entity, shard, left)
  if last then
    write_dense(metric, entity, last, middle)
  end
  if #right > 0 then
    write_sparse(metric, entity, sparse_shard(metric, entity, last and last + 1 or first), right)
  end
end

-- A directory with one sparse shard says nothing: that shard begins at chunk 0 then.
local function drop_directory(metric, entity)
  local members = redis.call('ZRANGE', directory_key(metric, entity), 0, 1)
  local shard = #members == 1 and listed_shard(metric, entity, members[1])
  if shard and not shard.dense then
    if shard.first > 0 then
      redis.call('RENAME', shard.key, sparse_shard(metric, entity, 0).key)
    end
    redis.call('DEL', directory_key(metric, entity))
  end
end

-- The shard a list of members begins with, if it is sparse and has room for so many more ids.
local function with_room(metric, entity, members, ids)
  local shard = members[1] and listed_shard(metric, entity, members[1])
  if shard and not shard.dense and ids + shard_size(shard) <= HALF_IDS then
    return shard
  end
end

local function join_shards(metric, entity, left, right)
  redis.call('SUNIONSTORE', left.key, left.key, right.key)
  redis.call('DEL', right.key)
  unlist_shard(metric, entity, right)
end

-- A sparse shard has become small: it goes, or is joined with a neighbour that is small enough.
local function shrink_sparse(metric, entity, shard, ids)
  local directory, at = directory_key(metric, entity), '(' .. digits(shard.first)
  if ids == 0 then
    unlist_shard(metric, entity, shard)
  else
    local left = with_room(metric, entity,
      redis.call('ZREVRANGEBYSCORE', directory, at, '-inf', 'LIMIT', 0, 1), ids)
    local right = with_room(metric, entity,
      redis.call('ZRANGEBYSCORE', directory, at, '+inf', 'LIMIT', 0, 1), ids)
    if left then
      join_shards(metric, entity, left, shard)
    elseif right then
      join_shards(metric, entity, shard, right)
    end
  end
  drop_directory(metric, entity)
end

-- A dense shard has become small: it is sparse from now on.
local function shrink_dense(metric, entity, dense)
  local shard, users = sparse_shard(metric, entity, dense.first), {}
  for at, byte in string.gmatch(redis.call('GET', dense.key), '()([^%z])') do
    for bit = 0, 7 do
      if math.floor(string.byte(byte) / 2 ^ (7 - bit)) % 2 == 1 then
        users[#users + 1] = user_at(dense.first, 8 * (at - 1) + bit)
      end
    end
  end
  redis.call('DEL', dense.key)
  unlist_shard(metric, entity, dense)
  write_sparse(metric, entity, shard, users)
  shrink_sparse(metric, entity, shard, #users)
end

local function fact_has(metric, entity, user)
  local chunk, bit = place(user)
  local shard = shard_of(metric, entity, chunk)
  if shard.dense then
    return redis.call('GETBIT', shard.key, bit) == 1
  end
  return redis.call('SISMEMBER', shard.key, user) == 1
end

local function fact_add(metric, entity, user, chunk, bit)
  local shard = shard_of(metric, entity, chunk)
  local ids = not shard.dense and shard_size(shard)
  if ids and ids >= MOST_IDS and redis.call('SISMEMBER', shard.key, user) == 0 then
    split_shard(metric, entity, shard)
    shard = shard_of(metric, entity, chunk)
    ids = not shard.dense and shard_size(shard)
  end
  if shard.dense then
    local changed = redis.call('SETBIT', shard.key, bit, 1) == 0
    if changed and shard_size(shard) <= HALF_IDS then
      shrink_dense(metric, entity, shard)
    end
    return changed
  elseif redis.call('SADD', shard.key, user) == 0 then
    return false
  elseif ids == 0 and redis.call('EXISTS', directory_key(metric, entity)) == 1 then
    list_shard(metric, entity, shard)
  end
  return true
end

local function fact_take(metric, entity, user, chunk, bit)
  local shard = shard_of(metric, entity, chunk)
  if shard.dense and redis.call('SETBIT', shard.key, bit, 0) == 0
    or not shard.dense and redis.call('SREM', shard.key, user) == 0 then
    return false
  end
  local ids = shard.listed and shard_size(shard) or MOST_IDS
  if ids <= HALF_IDS and shard.dense then
    shrink_dense(metric, entity, shard)
  elseif ids <= FEW_IDS then
    shrink_sparse(metric, entity, shard, ids)
  end
  return true
end

-- Makes the fact be as wanted; answers whether that changed anything, and the chunk of the fact.
local function fact_set(metric, entity, user, wanted)
  local chunk, bit = place(user)
  if wanted then
    return fact_add(metric, entity, user, chunk, bit), chunk
  end
  return fact_take(metric, entity, user, chunk, bit), chunk
end

-- The facts of a shard in chunks from `from` on.
local function count_from(shard, from)
  if shard.dense or shard.first >= from then
    return shard_size(shard)
  end
  local count = 0
  for _, user in ipairs(redis.call('SMEMBERS', shard.key)) do
    count = count + (place(user) >= from and 1 or 0)
  end
  return count
end

-- Counts the facts in chunks from `from` on, of at most `limit` shards. However shards were split
-- and joined in between, whoever goes on from the chunk that is answered counts each fact once.
-- Answers the count, the chunk to go on from (CHUNKS if there is none), and the shards counted.
local function fact_count(metric, entity, from, limit)
  if from >= CHUNKS then
    return 0, CHUNKS, 0
  end
  local shards = {shard_of(metric, entity, from)}
  local members = redis.call('ZRANGEBYSCORE', directory_key(metric, entity), '(' .. digits(from),
    '+inf', 'LIMIT', 0, limit + 1)
  for _, member in ipairs(members) do
    shards[#shards + 1] = listed_shard(metric, entity, member)
  end
  local count, counted = 0, 0
  for i, shard in ipairs(shards) do
    if i == #shards and #members > limit then -- some before it are lost, so there may be more
      return count, shard.first, counted
    end
    local facts = count_from(shard, from)
    if facts > 0 and counted == limit then
      return count, math.max(from, shard.first), counted
    elseif facts > 0 then
      count, counted = count + facts, counted + 1
    end
  end
  return count, CHUNKS, counted
end
