-- PURPOSE  Changes facts, and deals ids out to shards anew where that makes shards too large or too
--          small.
local MOST_IDS = @IDS@
local DENSE_IDS = MOST_IDS * 3 / 4 -- so many of a full shard in one chunk make it dense
local HALF_IDS = math.floor(MOST_IDS / 2) -- so few make a dense shard sparse, or two sparse ones one
local FEW_IDS = math.floor(MOST_IDS / 4) -- so few make a sparse shard look for a neighbour

-- What seldom happens to shards: `how` names the function. Making functions costs a script more than
-- calling Redis, so these are made when one is needed.
local function reshape(how, metric, entity, shard, ids)
  -- The user at a place, as digits.
  local function user_at(chunk, bit)
    local low = chunk % 1000000 * CHUNK + bit
    local high = math.floor(chunk / 1000000) * CHUNK + math.floor(low / 1000000)
    return high > 0 and digits(high) .. string.format('%06d', low % 1000000) or digits(low)
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

  -- Makes two of a sparse shard that has too many ids, as equal as chunks allow it. If one chunk has most of the ids,
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
      if shard.first > 0 and redis.call('EXISTS', shard.key) == 1 then
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

  local ways = {
    list_shard = list_shard,
    split_shard = split_shard,
    shrink_sparse = shrink_sparse,
    shrink_dense = shrink_dense,
  }
  ways[how](metric, entity, shard, ids)
end

-- Makes the fact be as wanted; answers whether that changed anything, the chunk of the fact and its
-- shard. Its one write is the last thing it does, so if it fails nothing has changed.
local function fact_set(metric, entity, user, wanted)
  local chunk, bit = place(user)
  local shard = shard_of(metric, entity, chunk)
  local changed
  if shard.dense then
    changed = (redis.call('SETBIT', shard.key, bit, wanted and 1 or 0) == 0) == wanted
  else
    changed = redis.call(wanted and 'SADD' or 'SREM', shard.key, user) == 1
  end
  return changed, chunk, shard
end

-- Looks whether a shard has become too large or too small with a fact that came or went.
local function fact_settle(metric, entity, shard, came)
  local ids = (came or shard.listed) and shard_size(shard) or MOST_IDS
  if shard.dense then
    if ids <= HALF_IDS then
      reshape('shrink_dense', metric, entity, shard)
    end
  elseif not came then
    if ids <= FEW_IDS then
      reshape('shrink_sparse', metric, entity, shard, ids)
    end
  elseif ids > MOST_IDS then
    reshape('split_shard', metric, entity, shard)
  elseif ids == 1 and redis.call('EXISTS', directory_key(metric, entity)) == 1 then
    reshape('list_shard', metric, entity, shard)
  end
end
