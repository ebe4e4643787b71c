-- PURPOSE  The only Lua that knows where counters lie: packed in pages, hashes so small that Redis
--          keeps each as one list. Pages are numbered from 0, and the lane hash tells how many there
--          are; the page of an entity follows from its digest and that number (linear hashing). When
--          a counter comes, the page whose turn it is to be split is split if it has too many. When
--          one goes, the last page is joined with the one it was split from if both have few. So a
--          counter moves now and then, and is in one page at any time.
local MOST_COUNTERS = @COUNTERS@
local HALF_COUNTERS = math.floor(MOST_COUNTERS / 2) -- so few in two pages make them one
local pages = tonumber(redis.call('HGET', KEYS[1], '@SCHEMA@:pages') or '1')

local function page_key(page)
  return 'cnt:' .. TAG .. ':@SCHEMA@:' .. digits(page)
end

-- The page of a digest of 32 bits: as many of its last bits as there are pages for.
local function page_with(digest)
  local size = 1
  while size < pages do
    size = 2 * size
  end
  local page = digest % size
  return page < pages and page or page - size / 2
end

local digests = {} -- of entities seen in this call

local function page_of(entity)
  digests[entity] = digests[entity] or tonumber(string.sub(redis.sha1hex(entity), 1, 8), 16)
  return page_with(digests[entity])
end

-- The page that a page was split from.
local function parent_of(page)
  local size = 1
  while 2 * size <= page do
    size = 2 * size
  end
  return page - size
end

-- What a command answers; nil if the key is of another type. Other failures stay failures.
local function try(command, key, ...)
  local answer = redis.pcall(command, key, ...)
  if type(answer) == 'table' and answer.err then
    if not string.find(answer.err, 'WRONGTYPE', 1, true) then
      error(answer.err)
    end
    return nil
  end
  return answer
end

-- A command on a page that is about to change. A key of another type gives way: what else was in
-- that page is missing from then on.
local function on_page(command, page, ...)
  local answer = try(command, page_key(page), ...)
  if answer == nil then
    redis.call('DEL', page_key(page))
    answer = redis.call(command, page_key(page), ...)
  end
  return answer
end

local function page_size(page)
  return on_page('HLEN', page)
end

local function move_counter(entity, value, from, to)
  redis.call('HSET', page_key(to), entity, value)
  redis.call('HDEL', page_key(from), entity)
end

local function set_pages(count)
  pages = count
  redis.call('HSET', KEYS[1], '@SCHEMA@:pages', digits(count))
end

-- Splits the page whose turn it is, if it is too large. A larger one waits for its turn.
local function split_page()
  local last, parent = pages, parent_of(pages)
  if page_size(parent) <= MOST_COUNTERS then
    return
  end
  local counters = redis.call('HGETALL', page_key(parent))
  redis.call('DEL', page_key(last)) -- whatever is there, it is nobody's
  set_pages(last + 1)
  for i = 1, #counters, 2 do
    if page_of(counters[i]) == last then
      move_counter(counters[i], counters[i + 1], parent, last)
    end
  end
end

-- Joins the last page with the one it was split from, if both are small. What is made one has
-- counters so few that it will not be split before as many again have come.
local function join_pages()
  local last, parent = pages - 1, parent_of(pages - 1)
  if last == 0 or page_size(last) + page_size(parent) > HALF_COUNTERS then
    return
  end
  local counters = redis.call('HGETALL', page_key(last))
  for i = 1, #counters, 2 do
    move_counter(counters[i], counters[i + 1], last, parent)
  end
  set_pages(last)
end

-- The bytes of a counter; false if it is missing, nil if its page is of another type.
local function page_get(entity)
  return try('HGET', page_key(page_of(entity)), entity)
end

local function page_put(entity, bytes)
  if on_page('HSET', page_of(entity), entity, bytes) == 1 then
    split_page()
  end
end

local function page_drop(entity)
  if on_page('HDEL', page_of(entity), entity) == 1 then
    join_pages()
  end
end
