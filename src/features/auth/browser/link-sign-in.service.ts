import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../platform/actor';
import type { Transaction } from '../../../platform/database/transaction.service';
import { Hooks } from '../../../platform/hooks/hooks';
import type { RequestOrigin } from '../../../platform/http/decorators';
import { AuditLog } from '../../audit/audit.module';
import { OrganizationDirectory } from '../../organization-settings/organization-settings.module';
import {
  type Account,
  LoginSessionService,
  SecondFactors,
  SessionStart,
  type StartedSession,
  startPagePort,
} from '../../users/users.module';
import { chosenHomePagePort, homePagePort } from '../auth.hooks';

/** The browser that sent a form, and what is known of it. */
export interface FormSender {
  readonly caller: Caller;
  readonly origin: RequestOrigin;
  /** The session that the browser has so far, which ends. */
  readonly former: string | null;
}

/** Signs people in who have just set their password by a link that was given to them. */
@Injectable()
export class LinkSignIn {
  constructor(
    private readonly starts: SessionStart,
    private readonly sessions: LoginSessionService,
    private readonly factors: SecondFactors,
    private readonly organization: OrganizationDirectory,
    private readonly audit: AuditLog,
    private readonly hooks: Hooks,
  ) {}

  /**
   * Whether the link is enough to be signed in: not for people with a second factor, nor where passwords are no way in, nor
   * where the server has no pages to be signed in to.
   * @param userId null for a person who has no account yet
   */
  async isEnough(userId: number | null): Promise<boolean> {
    const home = this.hooks.provider(chosenHomePagePort) ?? this.hooks.provider(homePagePort);
    if (home === null || !this.organization.signInMethods.Email) return false;
    return userId === null || !(await this.factors.of(userId)).isOn;
  }

  /**
   * Begins a session, within the exclusive transaction that has stored the password.
   * @throws OrganizationClosed, MayNotSignIn, UnknownRole
   */
  async begin(
    tx: Transaction,
    row: Account,
    { caller, origin, former }: FormSender,
  ): Promise<StartedSession> {
    if (former !== null) await this.sessions.end(tx, former);
    const actor = { ...caller, userId: row.id };
    this.audit.record(tx, actor, 'user.signed_in', { userId: row.id }, { by_link: true });
    return this.starts.begin(tx, row, 'browser', origin);
  }

  /** Where a person goes who is signed in for the first time. */
  firstPageOf(userId: number): string {
    return this.hooks.provider(startPagePort)?.pathFor(userId) ?? '/';
  }
}
