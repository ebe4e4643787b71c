#!lua flags=no-writes
-- PURPOSE  Tells who has a counter in the page of a digest, and how many pages there are, in one
--          step.
-- KEYS     1 lane hash
-- ARGV     1 digest
-- RETURNS  OK, pages, entities
-- COST     O(counters of the page)
-- include lane/lane
-- include counter/pages
return {'OK', pages, try('HKEYS', page_key(page_with(tonumber(ARGV[1])))) or {}}
