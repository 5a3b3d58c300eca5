-- Trigrams make a search for any part of a word an index look-up.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
