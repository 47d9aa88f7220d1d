import { Injectable } from '@nestjs/common';
import { WelcomeService } from '../welcome/welcome.service';
import { SignupNoticeService } from './signup-notice.service';

/** Tells others that a person has joined, and the person where they are. */
@Injectable()
export class ArrivalService {
  constructor(
    private readonly notice: SignupNoticeService,
    private readonly welcome: WelcomeService,
  ) {}

  /**
   * Call it after the account was committed, because only then can it be mentioned and written to. The person has joined
   * even if this fails.
   * @param welcomeText instead of the organization's own words; empty for none
   */
  async tell(userId: number, welcomeText?: string): Promise<void> {
    await this.notice.post(userId);
    await this.welcome.greet(userId, welcomeText);
  }
}
