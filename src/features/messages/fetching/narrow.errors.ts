import { ApiError } from '../../../platform/errors/api-error';

/** A narrow that cannot be answered; `desc` repeats the reason. */
export class BadNarrow extends ApiError {
  constructor(desc: string) {
    super(`Invalid narrow operator: ${desc}`, { code: 'BAD_NARROW', data: { desc } });
  }
}

/** Operators that cannot stand together. */
export class BadNarrowCombination extends ApiError {
  constructor(desc: string) {
    super(`Invalid narrow operator combination: ${desc}`, { code: 'BAD_NARROW', data: { desc } });
  }
}
