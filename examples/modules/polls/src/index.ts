import { defineModule } from 'parley/module';
import { migrations } from './migrations';
import { PollSettings } from './poll-settings';
import { PollsModule } from './polls.module';

export default defineModule({
  name: 'polls',
  about: 'Polls in which people vote by reacting, until a deadline.',
  module: PollsModule,
  migrations,
  settings: PollSettings,
});
