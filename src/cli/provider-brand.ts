import { type Command, Option } from 'commander';
import { type Brand, checkBaseAddress, checkBrandName, checkColour, checkMailPart, updateBrand } from '../branding/index.ts';
import { checkEmail } from '../people/index.ts';
import { checked, noneAsNull, orNone } from './arguments.ts';
import { byCommandLine, type Run, withStore } from './environment.ts';
import { brandsOf } from './handed-link.ts';
import { fields, print } from './output.ts';

interface BrandOptions {
  name?: string;
  colour?: string;
  sender?: string;
  replyTo?: string;
  mailIntro?: string;
  mailFooter?: string;
  baseAddress?: string;
  confirmBaseAddress?: boolean;
}

export function addProviderBrand(group: Command, run: Run): void {
  group
    .command('brand')
    .description(
      'Show or change how a provider appears to its customers; anything you do not name stays as it is. Its logo is set in the portal.',
    )
    .argument('<provider-id>')
    .option('--name <name>', "replaces the gateway's name; none: the gateway's", orNone(checked(checkBrandName)))
    .option('--colour <#rrggbb>', 'colour of buttons and links; none: the usual one', orNone(checked(checkColour)))
    .option('--sender <name>', 'sender name of mails, before MAIL_FROM; none: the brand', orNone(checked(checkBrandName)))
    .option('--reply-to <address>', 'where replies to mails go; none: MAIL_FROM', orNone(checked(checkEmail)))
    .option('--mail-intro <text>', 'plain text at the beginning of mails', orNone(checked(checkMailPart)))
    .option('--mail-footer <text>', 'plain text at the end of mails', orNone(checked(checkMailPart)))
    .option(
      '--base-address <url>',
      'where its customers reach the gateway, to be confirmed; none: the usual address',
      orNone(checked(checkBaseAddress)),
    )
    .addOption(new Option('--confirm-base-address', 'confirm that the address leads here, and start using it'))
    .option('--no-confirm-base-address', 'stop using the address')
    .addHelpText(
      'after',
      `
Examples:
  gateway provider brand ID --name "North" --colour "#0a7b83" --reply-to help@north.example
  gateway provider brand ID --base-address https://messages.north.example
  gateway provider brand ID --confirm-base-address`,
    )
    .action(async (id: string, options: BrandOptions, command: Command) => {
      const brand = await withStore(run, async (store, config) => {
        if (Object.keys(options).length === 0) {
          // The provider has to be there, as for a change.
          return (await brandsOf(run, store).ofProvider(id.toLowerCase())) ?? updateBrand(store, id, {}, byCommandLine(run));
        }
        const changes = {
          name: noneAsNull(options.name),
          colour: noneAsNull(options.colour),
          sender_name: noneAsNull(options.sender),
          reply_to: noneAsNull(options.replyTo),
          mail_intro: noneAsNull(options.mailIntro),
          mail_footer: noneAsNull(options.mailFooter),
          base_address: noneAsNull(options.baseAddress),
          base_confirmed: options.confirmBaseAddress,
        };
        return updateBrand(store, id, changes, byCommandLine(run), { ownAddress: config.publicUrl });
      });
      print(run, command, { ...brand, logo: brand.logo !== null }, brandText(brand));
    });
}

function brandText(brand: Brand): string {
  return fields([
    ['provider id', brand.provider_id],
    ['name', brand.name],
    ['colour', brand.colour],
    ['logo', brand.logo !== null],
    ['sender', brand.sender_name],
    ['reply to', brand.reply_to],
    ['mail intro', brand.mail_intro],
    ['mail footer', brand.mail_footer],
    ['base address', brand.base_address],
    ['confirmed', brand.base_confirmed],
  ]);
}
