-- The languages are listed in src/i18n/languages.ts alone, and each call that writes a text checks its language there.
alter table news_translation drop constraint news_translation_language_check;
alter table story_translation drop constraint story_translation_language_check;
