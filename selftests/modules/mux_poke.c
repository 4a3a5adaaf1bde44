// SPDX-License-Identifier: GPL-2.0
/*
 * Code that patches itself, and a look at what patching does to the kernel's
 * text. While the module is loaded, one thread switches a static key and static
 * calls and looks that each change has come into force; others run that code
 * all the time and look that it does one of the things it can be asked for.
 *
 * The parameters tell how it goes: `errors` has to stay zero. Of the static key,
 * `sites` sites were found, `crossing` of them on two pages.
 *
 * mux_poke/text in debugfs: write something to remember the kernel's text, read
 * for what is different from then: address, bytes then, bytes now, and where
 * they call. The text is from stext up to etext, both parameters.
 */
#include <linux/debugfs.h>
#include <linux/delay.h>
#include <linux/jump_label.h>
#include <linux/kthread.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/sizes.h>
#include <linux/static_call.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>
#include <asm/text-patching.h>

#define POKE_READERS	2

static unsigned long stext, etext;
module_param(stext, ulong, 0444);
module_param(etext, ulong, 0444);

static unsigned int errors, reads, toggles, sites, crossing;
module_param(errors, uint, 0444);
module_param(reads, uint, 0444);
module_param(toggles, uint, 0444);
module_param(sites, uint, 0444);
module_param(crossing, uint, 0444);

/* Static keys: more sites than a batch has room for, some of them across pages */

static DEFINE_STATIC_KEY_FALSE(poke_key);

static __always_inline unsigned int poke_1(bool likely)
{
	if (likely)
		return static_branch_likely(&poke_key) ? 1 : 0;
	return static_branch_unlikely(&poke_key) ? 1 : 0;
}

static __always_inline unsigned int poke_4(bool likely)
{
	return poke_1(likely) + poke_1(likely) + poke_1(likely) + poke_1(likely);
}

static __always_inline unsigned int poke_16(bool likely)
{
	return poke_4(likely) + poke_4(likely) + poke_4(likely) + poke_4(likely);
}

static __always_inline unsigned int poke_64(bool likely)
{
	return poke_16(likely) + poke_16(likely) + poke_16(likely) + poke_16(likely);
}

static __always_inline unsigned int poke_256(bool likely)
{
	return poke_64(likely) + poke_64(likely) + poke_64(likely) + poke_64(likely);
}

/* A site that begins @offset bytes after the beginning of a page */
static __always_inline unsigned int poke_at(const unsigned int offset)
{
	asm volatile("jmp 771f\n\t"
		     ".balign 4096, 0xcc\n\t"
		     ".skip %c0, 0xcc\n"
		     "771:" : : "i" (offset));
	return poke_1(false);
}

#define POKE_COUNT	(256 + 4 + 16)

static noinline unsigned int poke_count(void)
{
	return poke_256(false) + poke_at(4092) + poke_at(4093) + poke_at(4094) + poke_at(4095) +
	       poke_16(true);
}

/* Static calls: a call, a tail call, and a conditional tail call */

#define POKE_TARGETS	4

static noinline int poke_plus_1(int x) { return x + 1; }
static noinline int poke_plus_2(int x) { return x + 2; }
static noinline int poke_plus_3(int x) { return x + 3; }

DEFINE_STATIC_CALL(poke_call, poke_plus_1);
DEFINE_STATIC_CALL(poke_tail, poke_plus_1);
DEFINE_STATIC_CALL(poke_jcc, poke_plus_1);

static noinline int poke_by_call(int x)
{
	return static_call(poke_call)(x) ^ 0x100;
}

static noinline int poke_by_tail(int x)
{
	return static_call(poke_tail)(x);
}

/* No compiler is asked to make one: `x ? poke_jcc(x) : 0` */
int poke_by_jcc(int x);
asm("	.pushsection .text, \"ax\"\n"
	"	.type poke_by_jcc, @function\n"
	"poke_by_jcc:\n"
	"	mov %edi, %eax\n"
	"	test %edi, %edi\n"
	"	jne " STATIC_CALL_TRAMP_STR(poke_jcc) "\n"
	ASM_RET
	"	.size poke_by_jcc, . - poke_by_jcc\n"
	"	.popsection\n");

/* What the target @nr makes of @x: the last one returns zero, or nothing at all */
static int poke_expect(int x, unsigned int nr)
{
	return nr < POKE_TARGETS - 1 ? x + nr + 1 : 0;
}

static bool poke_one_of(int found, int x)
{
	unsigned int nr;

	for (nr = 0; nr < POKE_TARGETS; nr++)
		if (found == poke_expect(x, nr))
			return true;
	return false;
}

static void poke_retarget(unsigned int nr)
{
	int (*const targets[POKE_TARGETS])(int) = {
		poke_plus_1, poke_plus_2, poke_plus_3, (void *)__static_call_return0,
	};

	static_call_update(poke_call, targets[nr]);
	static_call_update(poke_tail, targets[nr]);
	/* With no target the conditional jump goes to a return. */
	static_call_update(poke_jcc, nr < POKE_TARGETS - 1 ? targets[nr] : NULL);
}

static void poke_error(const char *what, int found, int wanted)
{
	if (!errors++)
		pr_err("%s: %d instead of %d\n", what, found, wanted);
}

static void poke_equal(const char *what, int found, int wanted)
{
	if (found != wanted)
		poke_error(what, found, wanted);
}

static __always_inline int poke_formula(int x)
{
	x = x * 0x1234567 + 0x7654321;
	x = (x ^ 0x55aa55a) * 0x2345671;
	return x - 0x1122334;
}

/* To be probed: what is between the entry and the return changes nothing */
static noinline int poke_probed(int x)
{
	return poke_formula(x);
}

static int poke_toggler(void *unused)
{
	unsigned int nr;

	for (; !kthread_should_stop(); toggles++) {
		nr = toggles % POKE_TARGETS;
		poke_retarget(nr);
		poke_equal("static call", poke_by_call(5) ^ 0x100, poke_expect(5, nr));
		poke_equal("tail call", poke_by_tail(6), poke_expect(6, nr));
		poke_equal("conditional tail call", poke_by_jcc(7),
			   nr < POKE_TARGETS - 1 ? poke_expect(7, nr) : 7);
		poke_equal("no conditional tail call", poke_by_jcc(0), 0);

		static_branch_enable(&poke_key);
		poke_equal("key on", poke_count(), POKE_COUNT);
		static_branch_disable(&poke_key);
		poke_equal("key off", poke_count(), 0);

		poke_equal("probed", poke_probed(toggles), poke_formula(toggles));
		usleep_range(500, 1000); /* also for the grace periods of tasks-RCU */
	}
	return 0;
}

static int poke_reader(void *unused)
{
	int found;

	for (; !kthread_should_stop(); reads++) {
		found = poke_by_call(50) ^ 0x100;
		if (!poke_one_of(found, 50))
			poke_error("static call while it changes", found, 50);
		found = poke_by_tail(60);
		if (!poke_one_of(found, 60))
			poke_error("tail call while it changes", found, 60);
		found = poke_by_jcc(70);
		if (found != 70 && !poke_one_of(found, 70))
			poke_error("conditional tail call while it changes", found, 70);
		found = poke_count();
		if (found > POKE_COUNT)
			poke_error("key while it changes", found, POKE_COUNT);
		if (reads % 16 == 0)
			usleep_range(500, 1000);
	}
	return 0;
}

/* The kernel's text */

static u8 *poke_snapshot;

static ssize_t poke_text_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	if (copy_from_kernel_nofault(poke_snapshot, (void *)stext, etext - stext))
		return -EFAULT;
	return len;
}

static void poke_show_site(struct seq_file *m, unsigned long addr, const u8 *then, const u8 *now)
{
	seq_printf(m, "%lx %*phN %*phN", addr, CALL_INSN_SIZE, then, CALL_INSN_SIZE, now);
	if (now[0] == CALL_INSN_OPCODE)
		seq_printf(m, " %lx", addr + CALL_INSN_SIZE + *(s32 *)(now + 1));
	seq_putc(m, '\n');
}

static int poke_text_show(struct seq_file *m, void *unused)
{
	unsigned long i, size = etext - stext;
	u8 *now = vmalloc(size);

	if (!now)
		return -ENOMEM;
	if (copy_from_kernel_nofault(now, (void *)stext, size)) {
		vfree(now);
		return -EFAULT;
	}
	for (i = 0; i < size - CALL_INSN_SIZE; i++) {
		if (now[i] == poke_snapshot[i])
			continue;
		poke_show_site(m, stext + i, poke_snapshot + i, now + i);
		i += CALL_INSN_SIZE - 1;
	}
	vfree(now);
	return 0;
}

static int poke_text_open(struct inode *inode, struct file *file)
{
	return single_open_size(file, poke_text_show, NULL, SZ_4M);
}

static const struct file_operations poke_text_fops = {
	.owner		= THIS_MODULE,
	.open		= poke_text_open,
	.read		= seq_read,
	.write		= poke_text_write,
	.llseek		= seq_lseek,
	.release	= single_release,
};

/* Loading and unloading */

static struct dentry *poke_dir;
static struct task_struct *poke_threads[POKE_READERS + 1];

/* A site has two bytes or five, depending on how far it has to jump. */
static bool poke_crosses(const u8 *code)
{
	unsigned int size = *code == JMP32_INSN_OPCODE || *code == 0x0f ? 5 : 2;

	return offset_in_page(code) + size > PAGE_SIZE;
}

static void poke_count_sites(void)
{
	struct jump_entry *entry = THIS_MODULE->jump_entries;
	unsigned int i;

	for (i = 0; i < THIS_MODULE->num_jump_entries; i++, entry++) {
		if (jump_entry_key(entry) != &poke_key.key)
			continue;
		sites++;
		crossing += poke_crosses((u8 *)jump_entry_code(entry));
	}
}

static void poke_stop(void)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(poke_threads); i++)
		if (!IS_ERR_OR_NULL(poke_threads[i]))
			kthread_stop(poke_threads[i]);
	debugfs_remove(poke_dir);
	vfree(poke_snapshot);
}

static int __init poke_init(void)
{
	int i;

	if (etext <= stext)
		return -EINVAL;
	poke_snapshot = vmalloc(etext - stext);
	if (!poke_snapshot)
		return -ENOMEM;
	poke_count_sites();
	poke_dir = debugfs_create_dir("mux_poke", NULL);
	debugfs_create_file("text", 0600, poke_dir, NULL, &poke_text_fops);
	for (i = 0; i < ARRAY_SIZE(poke_threads); i++) {
		poke_threads[i] = kthread_run(i ? poke_reader : poke_toggler, NULL,
					      "mux_poke/%d", i);
		if (IS_ERR(poke_threads[i])) {
			poke_stop();
			return PTR_ERR(poke_threads[i]);
		}
	}
	return 0;
}

static void __exit poke_exit(void)
{
	poke_stop();
}

module_init(poke_init);
module_exit(poke_exit);
MODULE_DESCRIPTION("Self-modifying code to test text poking with");
MODULE_LICENSE("GPL");
