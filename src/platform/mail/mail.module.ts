import { Global, Module } from '@nestjs/common';
import { Mailer } from './mailer.service';

/** Mails to people. */
@Global()
@Module({
  providers: [Mailer],
  exports: [Mailer],
})
export class MailModule {}
