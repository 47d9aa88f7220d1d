import { levelChange } from '../level-change';
import { newStateKeys } from '../keys';

export const change435KindsOfReports = levelChange(
  435,
  'Zulip 12.0, feature level 435: `server_report_message_types` is new.',
  newStateKeys('server_report_message_types'),
);
