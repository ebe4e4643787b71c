-- PURPOSE  What every script of a lane starts from: its tag, its state, its key names.
--          LIFE is written into the text when the script is loaded, so a call prepared for another
--          life of Redis finds no script, and a lane opened in another life finds another mark.
local LIFE = '@LIFE@'
local TAG = string.match(KEYS[1], '%b{}')
local LANE = string.sub(TAG, 2, -2)
local FOLDED = 'folded:' .. TAG
local OUTBOX = 'outbox:' .. TAG
local DIRTY = 'dirty:' .. TAG
local FLOOR = 'floor:' .. TAG
local AUDIT = 'audit:' .. TAG

local lane = redis.call('HMGET', KEYS[1], 'open', 'epoch', 'seq')
local epoch = lane[2] or '0'
local seq = tonumber(lane[3] or '0')

local function is_open()
  return lane[1] == LIFE
end

-- False in a Redis that has never had the lane, or has lost all of it: its facts say nothing.
local function was_open()
  return lane[2] ~= false
end

local function folded_seq()
  return tonumber(redis.call('HGET', FOLDED, LANE) or '0')
end

-- Comes before the first write. While the slot moves to another node, any key may be here or there,
-- and a script that meets one that is not here fails; it must fail as a whole, because what it has
-- written before a failure stays. Asked for two keys of which one never exists, Redis refuses as
-- long as the slot is moving at all.
local function stay_whole()
  redis.call('EXISTS', KEYS[1], 'never:' .. TAG)
end

-- Lua prints doubles of 15 digits and more with an exponent; keys and ids need all digits.
local function digits(number)
  return string.format('%.0f', number)
end

local function rebuild_key(entity)
  return 'rebuild:' .. TAG .. ':' .. entity
end
