import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module';
import { ConsoleAssets } from './console-assets.service';
import { ConsoleController, ConsoleFilesController } from './console.controller';
import { ConsoleHomeService } from './console-home.service';

/** The console: pages in a browser, for talking and for administering. The program itself lies in the folder `console`. */
@Module({
  imports: [AuthModule],
  controllers: [ConsoleController, ConsoleFilesController],
  providers: [ConsoleAssets, ConsoleHomeService],
})
export class ConsoleModule {}
