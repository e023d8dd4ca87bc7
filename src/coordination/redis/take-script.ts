/**
 * Takes one request from each of several names; KEYS are their logs, each a list of the times of admitted requests, oldest first.
 * ARGV: the window in ms, the time in ms ('' is the server's own), then the limit of each name.
 * Returns for each name: admitted (1 or 0), remaining, seconds until remaining next rises.
 */
export const takeScript = `
local window = tonumber(ARGV[1])
local now = tonumber(ARGV[2])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end

-- When the server's clock was set back, what lies in the future counts as made now, or it would count for longer than a window.
local function bring_back(key)
  local times = redis.call('LRANGE', key, 0, -1)
  redis.call('DEL', key)
  for _, time in ipairs(times) do
    redis.call('RPUSH', key, string.format('%.0f', math.min(tonumber(time), now)))
  end
  redis.call('PEXPIRE', key, window)
end

local results = {}
for i, key in ipairs(KEYS) do
  local limit = tonumber(ARGV[i + 2])
  local newest = redis.call('LINDEX', key, -1)
  if newest and tonumber(newest) > now then bring_back(key) end

  local oldest = redis.call('LINDEX', key, 0)
  while oldest and tonumber(oldest) <= now - window do
    redis.call('LPOP', key)
    oldest = redis.call('LINDEX', key, 0)
  end

  local size = redis.call('LLEN', key)
  local admitted = size < limit
  if admitted then
    redis.call('RPUSH', key, string.format('%.0f', now))
    redis.call('PEXPIRE', key, window)
    size = size + 1
  end
  -- With a lowered limit more may be counted than allowed; then room appears only when the surplus has aged out.
  local next = redis.call('LINDEX', key, math.max(0, size - limit)) or now
  results[#results + 1] = admitted and 1 or 0
  results[#results + 1] = math.max(0, limit - size)
  results[#results + 1] = math.max(1, math.ceil((tonumber(next) + window - now) / 1000))
end
return results
`;
