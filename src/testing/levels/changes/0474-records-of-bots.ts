import { type Json, type LevelContext, levelChange } from '../level-change';

export const change474RecordsOfBots = levelChange(
  474,
  'Zulip 12.0, feature level 474: Records of bots no longer repeat what the records of people say.',
  { records: { bot: asBefore } },
);

function asBefore(bot: Json, context: LevelContext): void {
  if ('services' in bot) Object.assign(bot, context.account(Number(bot['user_id'])));
}
