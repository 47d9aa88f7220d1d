import { newRoutes } from '../keys';
import { levelChange } from '../level-change';

const [BEGINNING, UPLOAD] = ['/tus', '/tus/{upload}'];

export const change295ResumableUploads = levelChange(
  295,
  'Zulip 10.0, feature level 295: Files are uploaded piece by piece, by tus.',
  newRoutes(
    `OPTIONS ${BEGINNING}`,
    `POST ${BEGINNING}`,
    `OPTIONS ${BEGINNING}/`,
    `POST ${BEGINNING}/`,
    ...['OPTIONS', 'HEAD', 'PATCH', 'DELETE'].map((method) => `${method} ${UPLOAD}`),
  ),
);
