import { SignInFailures } from '../../src/features/users/users.module';
import type { CompanionClient } from './companion-client';
import type { TestApp } from './test-app';

/** An entry in the format of the interface. */
export interface AuditRecord {
  readonly id: number;
  /** UNIX seconds. */
  readonly created_at: number;
  readonly action: string;
  readonly way: string;
  readonly address: string;
  readonly client: string;
  readonly actor_id: number | null;
  readonly actor_name: string | null;
  readonly target_user_id: number | null;
  readonly target_id: number | null;
  readonly details: Record<string, unknown>;
}

/** Reads the audit log as the owner of the cast. */
export class AuditReader {
  private seen = 0;

  private constructor(
    private readonly app: TestApp,
    private owner = app.companion(),
  ) {}

  /** In a session of an existing owner. */
  static with(app: TestApp, owner: CompanionClient): AuditReader {
    return new AuditReader(app, owner);
  }

  static async of(app: TestApp): Promise<AuditReader> {
    const reader = new AuditReader(app);
    await reader.signIn();
    return reader;
  }

  /** Signs in again after the session has ended. Skips the new entry. */
  async signIn(): Promise<void> {
    this.owner = await this.app.companionAs(this.app.cast.olivia);
    await this.news();
  }

  /** The first hundred matching entries. */
  async find(query = ''): Promise<AuditRecord[]> {
    await this.app.get(SignInFailures).settled();
    const { status, body } = await this.owner.get(`/auth/audit-log?page_size=100${query && `&${query}`}`);
    if (status !== 200) throw new Error(JSON.stringify(body));
    return body.items;
  }

  /** Entries since the last call, oldest first, except those about reading the log. */
  async news(): Promise<AuditRecord[]> {
    const newest = await this.find('order=newest');
    const news = newest
      .filter(({ id, action }) => id > this.seen && action !== 'server.audit_log_read')
      .reverse();
    this.seen = newest[0]?.id ?? this.seen;
    return news;
  }

  /** The only entry since the last call. */
  async only(): Promise<AuditRecord> {
    const news = await this.news();
    expect(news).toHaveLength(1);
    return news[0]!;
  }
}
