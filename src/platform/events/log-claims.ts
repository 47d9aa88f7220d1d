import { Injectable } from '@nestjs/common';

/** Says since when rows of the log are needed, in UNIX milliseconds; null where none are. */
export type LogClaim = () => Promise<number | null>;

/** Where those who read the log late say how far back they need it. */
@Injectable()
export class LogClaims {
  private readonly claims: LogClaim[] = [];

  add(claim: LogClaim): void {
    this.claims.push(claim);
  }

  /** UNIX milliseconds; infinite when nobody needs anything. */
  async neededSince(): Promise<number> {
    let since = Infinity;
    for (const claim of this.claims) since = Math.min(since, (await claim()) ?? Infinity);
    return since;
  }
}
