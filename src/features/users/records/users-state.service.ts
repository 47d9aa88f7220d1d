import { Injectable } from '@nestjs/common';
import {
  initialState,
  stateFor,
  type StateReader,
  type StateRequest,
} from '../../../platform/client-state/initial-state.hooks';
import { Hooks } from '../../../platform/hooks/hooks';
import type { Queryable } from '../../../platform/sql/queryable';
import { RawJson } from '../../../platform/http/envelope.interceptor';
import { AccountDirectory, type AccountRecord } from '../accounts/account.directory';
import {
  type ListedUser,
  nobodysAccountWire,
  ownAccountWire,
  recordForAnybody,
  usersState,
  withoutActivity,
} from './user-records.api';
import { UserRecords } from './user-records.service';
import { UserVisibility } from '../access/user-visibility.service';

/** A client that does not declare this gets a stand-in for everybody whom it may not see. */
const USER_LIST_INCOMPLETE = 'user_list_incomplete';

/** Texts of records, grouped as clients get them. */
interface UserLists {
  readonly active: string[];
  readonly deactivated: string[];
}

/** Tells registering clients who they are and who else there is. */
@Injectable()
export class UsersStateService {
  constructor(
    private readonly accounts: AccountDirectory,
    private readonly records: UserRecords,
    private readonly visibility: UserVisibility,
    hooks: Hooks,
  ) {
    hooks.on(
      initialState,
      stateFor('realm_user', (db, request) => this.state(db, request)),
    );
  }

  private async state(db: Queryable, request: StateRequest) {
    const { reader } = request;
    const lists = reader ? await this.listsFor(db, reader, request) : await this.listsForAnybody(db, request);
    return usersState(this.own(reader), {
      active: jsonList(lists.active),
      deactivated: jsonList(lists.deactivated),
      systemBots: this.systemBots(reader, request),
    });
  }

  private own(reader: StateReader | null) {
    if (reader === null) return nobodysAccountWire();
    const account = this.accounts.existing(reader.userId);
    return ownAccountWire(account, this.accounts.apiEmail(account));
  }

  private async listsFor(db: Queryable, reader: StateReader, request: StateRequest): Promise<UserLists> {
    const sees = await this.visibility.filterFor(db, reader);
    const options = { clientGravatar: request.clientGravatar, profileData: true, withoutActivity: true };
    return this.lists(request, (account) =>
      sees(account) ? this.records.json(reader, account, options) : null,
    );
  }

  private async listsForAnybody(db: Queryable, request: StateRequest): Promise<UserLists> {
    const sees = await this.visibility.filterFor(db, null);
    return this.lists(request, (account) =>
      sees(account)
        ? JSON.stringify(withoutActivity(recordForAnybody(account, this.accounts.placeholderOf(account.id))))
        : null,
    );
  }

  /** @param text the record of an account, or null for one that the viewer does not see */
  private lists(request: StateRequest, text: (account: AccountRecord) => string | null): UserLists {
    const lists: UserLists = { active: [], deactivated: [] };
    for (const account of this.accounts.all()) {
      const record = text(account);
      if (record !== null) lists[account.isActive ? 'active' : 'deactivated'].push(record);
      else if (!request.capabilities.has(USER_LIST_INCOMPLETE)) {
        lists.active.push(JSON.stringify(withoutActivity(this.records.unknown(account))));
      }
    }
    return lists;
  }

  private systemBots(reader: StateReader | null, { clientGravatar }: StateRequest) {
    return this.accounts
      .systemBots()
      .map((bot) =>
        reader
          ? this.records.record(reader, bot, { clientGravatar })
          : recordForAnybody(bot, this.accounts.apiEmail(bot)),
      );
  }
}

function jsonList(texts: readonly string[]): RawJson<ListedUser[]> {
  return new RawJson(`[${texts.join(',')}]`);
}
