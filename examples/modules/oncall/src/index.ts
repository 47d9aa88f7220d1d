import { defineModule } from 'parley/module';
import { migrations } from './migrations';
import { OncallModule } from './oncall.module';
import { OncallSettings } from './oncall-settings';

export default defineModule({
  name: 'oncall',
  about: 'Keeps user groups in step with calendars that say who is on call.',
  module: OncallModule,
  migrations,
  settings: OncallSettings,
});
