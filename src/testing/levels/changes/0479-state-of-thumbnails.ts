import { levelChange } from '../level-change';
import { newRoutes } from '../keys';

export const change479StateOfThumbnails = levelChange(
  479,
  'Zulip 12.0, feature level 479: `GET /thumbnail/status/…` is new.',
  newRoutes('GET /thumbnail/status/{realm}/{folder}/{key}/{name}'),
);
