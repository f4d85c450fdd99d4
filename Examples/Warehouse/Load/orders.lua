-- The orders that wrk posts, each with a unique number. Each thread records the numbers that were answered with 201.
local threads = 0

function setup(thread)
   thread:set("number", threads)
   threads = threads + 1
end

function init(arguments)
   accepted = io.open(arguments[1] .. "/accepted-" .. number, "w")
   -- The second argument distinguishes the orders of one run from those of another.
   order = (tonumber(arguments[2] or 0) * 100 + number) * 100000000
   wrk.method = "POST"
   wrk.headers["Content-Type"] = "application/json"
end

function request()
   order = order + 1
   return wrk.format(nil, nil, nil, string.format('{"id":%d,"item":"book","quantity":1}', order))
end

function response(status, headers, body)
   if status == 201 then
      accepted:write(body, "\n")
      accepted:flush()
   end
end
