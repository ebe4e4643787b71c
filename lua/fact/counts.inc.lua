-- PURPOSE  Counts facts, in bounded steps if they lie in many shards.
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
