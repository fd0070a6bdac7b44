/* A QEMU plugin (API version 1) that counts instructions and prints their number at the end. Debian
 * has no header for plugins, so what is used of it is declared here. */
#include <inttypes.h>
#include <stdio.h>

struct qemu_plugin_tb;
enum { ADD_U64 };

extern size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
extern void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb *tb, int op, void *ptr,
                                                     uint64_t amount);
extern void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t id,
                                                  void (*cb)(uint64_t id, struct qemu_plugin_tb *tb));
extern void qemu_plugin_register_atexit_cb(uint64_t id, void (*cb)(uint64_t id, void *data),
                                           void *data);

int qemu_plugin_version = 1;

static uint64_t instructions;

static void on_translation(uint64_t id, struct qemu_plugin_tb *tb)
{
    (void)id;
    qemu_plugin_register_vcpu_tb_exec_inline(tb, ADD_U64, &instructions,
                                             qemu_plugin_tb_n_insns(tb));
}

static void on_exit(uint64_t id, void *data)
{
    (void)id;
    (void)data;
    fprintf(stderr, "%" PRIu64 " instructions\n", instructions);
}

int qemu_plugin_install(uint64_t id, const void *info, int argc, char **argv)
{
    (void)info;
    (void)argc;
    (void)argv;
    qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation);
    qemu_plugin_register_atexit_cb(id, on_exit, NULL);
    return 0;
}
