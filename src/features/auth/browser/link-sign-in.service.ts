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

/** The browser that sent a form. */
export interface FormSender {
  readonly caller: Caller;
  readonly origin: RequestOrigin;
  /** The browser's previous session, which ends. */
  readonly former: string | null;
}

/** Signs in users who have just set their password by a personal or invitation link. */
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
   * Starts a session, within the exclusive transaction that has stored the password.
   * @returns null if the user has to sign in: with a second factor, if password sign-in is disabled, or if the server
   * has no pages
   * @throws OrganizationClosed, MayNotSignIn, UnknownRole
   */
  async begin(
    tx: Transaction,
    row: Account,
    { caller, origin, former }: FormSender,
  ): Promise<StartedSession | null> {
    const home = this.hooks.provider(chosenHomePagePort) ?? this.hooks.provider(homePagePort);
    if (home === null || !this.organization.signInMethods.Email) return null;
    if (await this.factors.isOnIn(tx, row.id)) return null;
    if (former !== null) await this.sessions.end(tx, former);
    const actor = { ...caller, userId: row.id };
    this.audit.record(tx, actor, 'user.signed_in', { userId: row.id }, { by_link: true });
    return this.starts.begin(tx, row, 'browser', origin);
  }

  /** The page to open after a user's first sign-in. */
  firstPageOf(userId: number): string {
    return this.hooks.provider(startPagePort)?.pathFor(userId) ?? '/';
  }
}
