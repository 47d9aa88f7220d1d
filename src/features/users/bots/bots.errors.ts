import { ApiError } from '../../../platform/errors/api-error';

/** A bot asks for a key that it has not stored. */
export class NoSuchStorageKey extends ApiError {
  constructor() {
    super('Key does not exist.');
  }
}

/** A bot wants to store more than it may. */
export class BotStorageFull extends ApiError {
  constructor(excess: number, limit: number) {
    super(`Request exceeds storage limit by ${excess} characters. The limit is ${limit} characters.`);
  }
}

/** Storage is for bots. */
export class BotsOnly extends ApiError {
  constructor() {
    super('Must be a bot user');
  }
}

/** No format of outgoing webhooks has this number. */
export class InvalidInterfaceType extends ApiError {
  constructor() {
    super('Invalid interface type');
  }
}
