import { type PeopleQuestion, personRecord, type PersonRecord } from './people.api';
import { Injectable } from '@nestjs/common';
import { pageOf, type PageAnswer, type PageWindow } from '../../../platform/http/companion/paging';
import { AccountDirectory, type AccountRecord } from '../../users/users.module';
import { PersonAccess } from './person.access';

/** Reads people for administrators; bots are managed elsewhere. */
@Injectable()
export class PeopleService {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly access: PersonAccess,
  ) {}

  list({ search, role, isActive, isDeleted }: PeopleQuestion, window: PageWindow): PageAnswer<PersonRecord> {
    const part = searchKey(search ?? '');
    const found = this.accounts
      .all()
      .filter(
        (account) =>
          !account.isBot &&
          account.isDeleted === isDeleted &&
          (role === undefined || account.role === role) &&
          (isActive === undefined || account.isActive === isActive) &&
          (part === '' ||
            [account.fullName, account.deliveryEmail].some((text) => searchKey(text).includes(part))),
      );
    return pageOf<AccountRecord, PersonRecord>(found, window, personRecord);
  }

  /** @throws NoSuchUser */
  one(userId: number): PersonRecord {
    return personRecord(this.access.forReading(userId));
  }
}

/** A key that is equal for texts that people consider the same when searching. */
function searchKey(text: string): string {
  return text.trim().normalize('NFKC').toLowerCase();
}
