// The system's Postfix with configuration, queue and maildirs in a folder of the bench (virtual(8)). Needs root.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, chown, mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { mailDomain } from "./letters.place.kit.ts";
import { end, freePort, greeting, owned, run } from "./process.kit.ts";
import type { Peer } from "./letters.peers.kit.ts";

const daemons = "/usr/lib/postfix/sbin";
const nobody = 65_534;

export const postfix: Peer = {
  name: "Postfix",
  async prepare() {
    if (!existsSync(join(daemons, "master"))) return "apt-get install postfix";
    return process.getuid?.() === 0 ? undefined : "it wants root";
  },

  async start(folder, addresses) {
    const port = await freePort();
    const config = join(folder, "config");
    const boxes = join(folder, "boxes");
    const queue = join(folder, "queue");
    for (const each of [config, boxes, queue, join(folder, "data")]) await mkdir(each);
    await chown(boxes, nobody, nobody);
    await chown(join(folder, "data"), Number((await run("id", ["-u", "postfix"])).stdout), 0);
    await writeFile(join(config, "main.cf"), mainOf(folder));
    await writeFile(join(config, "master.cf"), masterOf(port));
    await writeFile(
      join(config, "mailboxes"),
      addresses.map((address) => `${address} ${address.slice(0, address.indexOf("@"))}/\n`).join(""),
    );
    await makeBoxes(boxes, addresses);
    // Makes the queue folders. The master then runs without its shell, so that a signal ends it.
    await run("/usr/sbin/postfix", ["-c", config, "check"]);
    const child = owned(spawn(join(daemons, "master"), ["-c", config, "-d"], { stdio: "ignore" }));
    await greeting(port);
    return {
      port,
      pid: child.pid ?? 0,
      count: async () =>
        (await readdir(boxes, { recursive: true })).filter((name) => name.includes("/new/")).length,
      async finish() {
        while ((await countIn(queue, "incoming")) + (await countIn(queue, "active")) > 0) await sleep(50);
      },
      stop: () => end(child),
    };
  },
};

const countIn = async (queue: string, part: string) => (await readdir(join(queue, part))).length;

async function makeBoxes(boxes: string, addresses: readonly string[]): Promise<void> {
  for (const address of addresses) {
    const box = join(boxes, address.slice(0, address.indexOf("@")));
    for (const part of ["", "tmp", "new", "cur"]) {
      const path = join(box, part);
      await mkdir(path, { recursive: true });
      await chown(path, nobody, nobody);
      await chmod(path, 0o700);
    }
  }
}

// Debian's defaults without DNS look-ups and limits for clients.
const mainOf = (folder: string) => `
compatibility_level = 3.6
queue_directory = ${folder}/queue
data_directory = ${folder}/data
command_directory = /usr/sbin
daemon_directory = ${daemons}
meta_directory = /etc/postfix
shlib_directory = /usr/lib/postfix
mail_owner = postfix
setgid_group = postdrop
maillog_file = ${folder}/log
maillog_file_prefixes = ${folder}
myhostname = mx.bench.test
mydestination =
mynetworks = 127.0.0.0/8
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
virtual_mailbox_domains = ${mailDomain}
virtual_mailbox_base = ${folder}/boxes
virtual_mailbox_maps = texthash:${folder}/config/mailboxes
virtual_uid_maps = static:${nobody}
virtual_gid_maps = static:${nobody}
alias_maps =
smtpd_peername_lookup = no
smtpd_client_connection_count_limit = 0
smtpd_recipient_restrictions = permit_mynetworks, reject_unauth_destination
default_process_limit = 200
`;

const masterOf = (port: number) => `
127.0.0.1:${port} inet n - n - - smtpd
pickup    unix n - n 60 1 pickup
cleanup   unix n - n - 0 cleanup
qmgr      unix n - n 300 1 qmgr
rewrite   unix - - n - - trivial-rewrite
bounce    unix - - n - 0 bounce
defer     unix - - n - 0 bounce
trace     unix - - n - 0 bounce
verify    unix - - n - 1 verify
proxymap  unix - - n - - proxymap
error     unix - - n - - error
retry     unix - - n - - error
virtual   unix - n n - - virtual
anvil     unix - - n - 1 anvil
scache    unix - - n - 1 scache
postlog   unix-dgram n - n - 1 postlogd
`;
