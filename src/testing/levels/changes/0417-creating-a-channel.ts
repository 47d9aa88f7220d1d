import { newRoutes } from '../keys';
import { levelChange } from '../level-change';

export const change417CreatingAChannel = levelChange(
  417,
  'Zulip 11.0, feature level 417: `POST /channels/create` is new.',
  newRoutes('POST /channels/create'),
);
