// ODE: `ode WORLD BOXES WARM STEPS`, with its quick step as it comes (20 iterations).
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <algorithm>
#include <vector>
#include <ode/ode.h>

extern "C" void peers_count_on(void);
extern "C" void peers_count_off(void);
extern "C" uint64_t peers_thread_ns(void);

struct Place { double x, y, z; };

static std::vector<Place> layout(const char *kind, int n) {
    std::vector<Place> out;
    if (!strcmp(kind, "pyramid")) {
        int row = 1;
        while (row * (row + 1) / 2 < n) row++;
        for (double z = 0.5; n > 0; z += 1.0) {
            int count = std::min(row, n);
            for (int k = 0; k < count; k++) out.push_back({2.1 * (k - (count - 1) / 2.0), 0.0, z});
            n -= count;
            row = std::max(row - 1, 1);
        }
    } else if (!strcmp(kind, "wall")) {
        for (int i = 0; i < n; i++) out.push_back({2.02 * (i % 10) + 0.5 * (i / 10 % 2), 0.0, 0.5 + i / 10});
    } else {
        for (int i = 0; i < n; i++) out.push_back({0.0, 0.0, 0.1 + 0.2 * i});
    }
    return out;
}

static dWorldID world;
static dJointGroupID contacts;

static void near(void *, dGeomID a, dGeomID b) {
    dContact contact[8];
    int n = dCollide(a, b, 8, &contact[0].geom, sizeof(dContact));
    for (int i = 0; i < n; i++) {
        contact[i].surface.mode = dContactApprox1;
        contact[i].surface.mu = 0.5;
        dJointAttach(dJointCreateContact(world, contacts, &contact[i]), dGeomGetBody(a), dGeomGetBody(b));
    }
}

int main(int argc, char **argv) {
    if (argc != 5) { fprintf(stderr, "usage: ode pyramid|wall|tower BOXES WARM STEPS\n"); return 2; }
    const char *kind = argv[1];
    int n = atoi(argv[2]), warm = atoi(argv[3]), steps = atoi(argv[4]);
    bool tower = !strcmp(kind, "tower");
    double h = strcmp(kind, "pyramid") ? 1e-3 : 5e-3;
    double x = tower ? 0.2 : 2.0, y = tower ? 0.2 : 1.0, z = y;
    dInitODE();
    world = dWorldCreate();
    dWorldSetGravity(world, 0, 0, -9.81);
    contacts = dJointGroupCreate(0);
    dSpaceID space = dHashSpaceCreate(0);
    dCreatePlane(space, 0, 0, 1, 0);
    std::vector<Place> places = layout(kind, n);
    std::vector<dBodyID> bodies;
    for (const Place &p : places) {
        dBodyID body = dBodyCreate(world);
        dMass mass;
        dMassSetBoxTotal(&mass, 1.0, x, y, z);
        dBodySetMass(body, &mass);
        dBodySetPosition(body, p.x, p.y, p.z);
        dGeomSetBody(dCreateBox(space, x, y, z), body);
        bodies.push_back(body);
    }
    std::vector<double> times;
    for (int i = 0; i < warm + steps; i++) {
        if (i == warm) peers_count_on();
        uint64_t before = peers_thread_ns();
        dSpaceCollide(space, nullptr, near);
        dWorldQuickStep(world, h);
        dJointGroupEmpty(contacts);
        if (i >= warm) times.push_back((peers_thread_ns() - before) * 1e-3);
    }
    peers_count_off();
    double moved = 0, speed = 0;
    for (size_t i = 0; i < bodies.size(); i++) {
        const dReal *p = dBodyGetPosition(bodies[i]), *v = dBodyGetLinearVel(bodies[i]);
        moved = std::max(moved, std::sqrt(std::pow(p[0] - places[i].x, 2) + std::pow(p[1] - places[i].y, 2) + std::pow(p[2] - places[i].z, 2)));
        speed = std::max(speed, std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
    }
    std::sort(times.begin(), times.end());
    size_t last = times.size() - 1;
    printf("moved=%.1e speed=%.1e residual=- us=%.1f p999=%.1f max=%.1f\n", moved, speed, times[last / 2], times[size_t(last * 0.999)], times[last]);
}
